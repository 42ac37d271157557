"""The profile schema: canonical keys, whether one or many values hold, and how each is named."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from zhiji.core.text import fold

VERSION = 1


@dataclass(frozen=True, slots=True)
class Field:
    """One attribute of a user.

    A `many` field keeps every value, a single one the latest. `core` fields say who the user is and enter every
    prompt; a `sensitive` one waits for the user's yes under the default policy; a `safety` one is always recalled.
    """

    key: str
    zh: str
    en: str
    many: bool = False
    core: bool = False
    sensitive: bool = False
    safety: bool = False
    aliases: tuple[str, ...] = ()


def _field(line: str) -> Field:
    key, flags, zh, en, aliases = (part.strip() for part in line.split("|"))
    names = tuple(name.strip() for name in aliases.split(",") if name.strip())
    held = set(flags.split())
    return Field(key, zh, en, "many" in held, "core" in held, "sensitive" in held, "safety" in held, names)


# key | flags | zh | en | other names of the key
_TABLE = """
identity.name | core | 姓名 | name | name, my_name, user_name, real_name, full_name, 名字, 姓名
identity.nickname | core | 称呼 | form of address | nickname, call_me, form_of_address, preferred_name, 昵称, 称呼, 网名
identity.gender | | 性别 | gender | gender, sex, 性别
identity.age | | 年龄 | age | age, 年龄, birth_year
identity.birthday | | 生日 | birthday | birthday, birth_date, birthdate, date_of_birth, dob, 生日, 出生日期
identity.constellation | | 星座 | star sign | constellation, zodiac, star_sign, 星座
identity.zodiac_animal | | 属相 | zodiac animal | zodiac_animal, chinese_zodiac, 属相, 生肖
identity.nationality | | 国籍 | nationality | nationality, 国籍
identity.religion | sensitive | 宗教 | religion | religion, faith, 宗教, 信仰
residence.city | core | 居住城市 | city | city, home_city, live_city, lives_in, location, loc, residence, home, live, living, 城市, 居住地, 所在地, 住址城市
residence.address | sensitive | 住址 | address | address, home_address, street, 地址, 住址
residence.hometown | | 老家 | hometown | hometown, birthplace, native_place, origin, from, 老家, 家乡, 籍贯
residence.home | | 住房 | home | housing, house, flat, apartment, home_type, 住房
contact.phone | sensitive | 电话 | phone | phone, mobile, telephone, phone_number, 电话, 手机号
contact.email | sensitive | 邮箱 | e-mail | email, e-mail, mail, 邮箱
job.title | core | 职业 | occupation | job, occupation, profession, role, position, job_title, work, career, job.role, job.occupation, 职业, 职位, 工作
job.employer | | 单位 | employer | employer, company, workplace, firm, organisation, organization, work.company, job.company, 公司, 单位
job.industry | | 行业 | industry | industry, sector, trade, 行业
job.city | | 工作城市 | city of work | work_city, work_location, office_location, job.location, 工作地点
job.income | sensitive | 收入 | income | income, salary, pay, wage, 工资, 收入, 薪水
job.schedule | | 班次 | working hours | work_schedule, shift, shifts, working_hours, work_hours, 班次
people.manager | | 上级 | manager | manager, boss, supervisor, job.manager, 领导, 上司
people.mentor | | 导师 | mentor | mentor, 导师
people.teacher | | 班主任 | class teacher | class_teacher, 班主任
job.area | many | 负责 | responsible for | responsibility, responsibilities, in_charge_of, assigned_towns, duty, 负责, 驻点
education.school | | 学校 | school | school, university, college, alma_mater, 学校, 大学
education.major | | 专业 | major | major, field_of_study, subject_of_study, 专业
education.degree | | 学历 | degree | degree, education_level, education, 学历
education.year | | 年级 | year of study | grade, year_of_study, school_year, class_year, 年级
family.marital_status | | 婚姻状况 | marital status | marital_status, marriage, relationship_status, 婚姻, 婚姻状况
family.spouse | | 配偶 | spouse | spouse, wife, husband, partner, 配偶, 老婆, 老公
family.children | many | 孩子 | children | children, child, kids, kid, son, daughter, baby, 孩子, 子女
family.parents | many | 父母 | parents | parents, mother, father, mum, mom, dad, 父母, 父亲, 母亲
family.siblings | many | 兄弟姐妹 | siblings | siblings, brother, sister, 兄弟姐妹
pets | many | 宠物 | pets | pet, cat, dog, cats, dogs, animals, 宠物
languages | many | 语言 | languages | language, spoken_language, languages_spoken, 语言
skills | many | 技能 | skills | skill, abilities, 技能, 特长
possessions | many | 物品 | possessions | possession, device, devices, car, phone_model, laptop, vehicle, owns, equipment, 设备
crops | many | 作物 | crops | crop, preferred_crops, crop_experience, farm_crops, plants, 作物
diet.allergy | many safety | 过敏 | allergy | allergy, allergies, allergic_to, food_allergy, health.allergy, drug_allergy, 过敏, 过敏源
diet.restriction | many safety | 忌口 | diet | diet, dietary, dietary_restriction, restriction, religious_diet, vegetarian, vegan, halal, kosher, 忌口, 饮食禁忌
health.condition | many safety | 健康状况 | health | health, condition, disease, illness, medical_condition, chronic_condition, disability, 疾病, 健康, 病史
health.medication | many safety | 用药 | medication | medication, medicine, drugs, medications, 用药, 药物
body.height | | 身高 | height | height, 身高
body.weight | | 体重 | weight | weight, 体重
body.blood_type | | 血型 | blood type | blood_type, 血型
body.size | many | 尺码 | sizes | size, clothing_size, shoe_size, 尺码, 鞋码
drink.usual | | 平时喝的 | usual drink | usual_drink, drink_habit, habit.drink, 平时喝什么
preference.drink | many | 饮品喜好 | drinks | drink, drinks, beverage, coffee, tea, drink_preference, preference.coffee, preference.tea, preference.beverage, 饮品, 咖啡
preference.food | many | 饮食喜好 | food | food, food_preference, taste, cuisine, favourite_food, favorite_food, flavour, 口味, 食物
preference.music | many | 音乐喜好 | music | music, song, singer, band, 音乐
preference.film | many | 影视喜好 | films | film, movie, movies, films, show, tv, 电影
preference.book | many | 阅读喜好 | books | book, books, reading, author, 书
preference.sport | many | 运动喜好 | sports | sport, sports, exercise, fitness, team, 运动
preference.colour | many | 颜色喜好 | colours | colour, color, favourite_colour, favorite_color, 颜色
preference.travel | many | 出行喜好 | travel | seat, travel_preference, transport, commute, 座位, 出行
hobby | many | 爱好 | hobbies | hobbies, interest, interests, pastime, 爱好, 兴趣
reply.length | | 回复篇幅 | length of answers | reply_length, answer_length, response_length, verbosity, style.length, reply.style.length, 回复长度
reply.language | | 回复语言 | language of answers | reply_language, answer_language, response_language, 回复语言
reply.format | many | 回复格式 | format of answers | reply_format, answer_format, response_format, reply_style, answer_style, reply.style, format, style, tone, 回复格式
schedule.unavailable | many | 不便时间 | unavailable times | unavailable, busy_time, unavailable_time, no_meeting, availability, schedule, meeting_time, 不方便
goal | many | 目标 | goals | goals, plan, target, aim, aspiration, 目标, 计划
"""

FIELDS: dict[str, Field] = {field.key: field for field in map(_field, _TABLE.strip().splitlines())}


@cache
def _aliases() -> dict[str, str]:
    names = {field.key: field.key for field in FIELDS.values()}
    for field in FIELDS.values():
        for alias in field.aliases:
            names.setdefault(_spelling(alias), field.key)
    return names


def _spelling(key: str) -> str:
    return re.sub(r"[\s_-]+", "_", fold(key).strip(" .")).strip("_")


@lru_cache(maxsize=4096)
def canonical(key: str) -> str:
    """The schema's spelling of a key; a key it does not know keeps its own, folded.

    >>> canonical("City"), canonical("food allergy"), canonical("crop_experience.litchi")
    ('residence.city', 'diet.allergy', 'crop_experience.litchi')
    """
    spelled = _spelling(key)
    return _aliases().get(spelled, spelled)


def field_of(key: str) -> Field | None:
    """The schema's field of a key, or None for a free one."""
    return FIELDS.get(canonical(key))


def single_valued(key: str) -> bool:
    """Whether a new value of the key replaces the old one; free keys keep all."""
    field = field_of(key)
    return field is not None and not field.many


def domain_of(key: str) -> str:
    """The part of life a key belongs to: what stands before the first dot."""
    return canonical(key).split(".", 1)[0]
