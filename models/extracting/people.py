"""Who a clause speaks of: the user, close family, a pet, the assistant or somebody else."""

import re
from dataclasses import dataclass

from zhiji.models.extracting.superiors import superior

_MEMBERS_ZH = {
    "father_in_law": "岳父|老丈人|公公",
    "mother_in_law": "岳母|丈母娘|婆婆",
    "parents": "爸妈|父母|爹妈|爹娘",
    "father": "爸爸?|父亲|爹|老爸|老爷子",
    "mother": "妈妈?|母亲|老妈|娘(?!家)",
    "husband": "老公|丈夫|先生(?!说)|孩子他爸",
    "wife": "老婆|妻子|太太|媳妇儿?|夫人",
    "partner": "爱人|老伴儿?|对象|男朋友|女朋友|男友|女友|未婚[夫妻]|那口子",
    "grandfather": "爷爷?|姥爷|外公",
    "grandmother": "奶奶?|姥姥|外婆|阿嬷",
    "grandson": "大?孙子|外孙(?!女)",
    "granddaughter": "孙女|外孙女",
    "son": "儿子|小儿子|大儿子",
    "daughter": "女儿|闺女|丫头|千金",
    "child": "孩子|宝宝|小孩|娃(?!娃)|老大|老二|老三|大宝|小宝|二宝|双胞胎|龙凤胎|两个娃",
    "brother": "哥哥?|弟弟?|大哥|二哥",
    "sister": "姐姐?|妹妹?|大姐|二姐",
    "family": "家人|家里人|全家|一家",
    "cat": "猫咪?|布偶|英短|美短|狸花|橘猫",
    "dog": "狗狗?|金毛|柯基|泰迪|哈士奇|拉布拉多|边牧|柴犬|小狗",
    "pet": "兔子|仓鼠|鹦鹉|乌龟|宠物|八哥|龙猫|守宫",
}
_MEMBERS_EN = {
    "father_in_law": "father-in-law",
    "mother_in_law": "mother-in-law|mil",
    "parents": "parents|folks",
    "father": "father|dad|daddy|papa",
    "mother": "mother|mum|mom|mummy|mam|mama",
    "husband": "husband|hubby",
    "wife": "wife|missus",
    "partner": "partner|spouse|boyfriend|girlfriend|fianc[eé]+",
    "grandfather": "grandfather|grandpa|grandad|granddad",
    "grandmother": "grandmother|grandma|gran|nan|nana",
    "grandson": "grandson",
    "granddaughter": "granddaughter",
    "son": "son|sons|boy|lad",
    "daughter": "daughter|daughters|little girl",
    "child": "child|children|kids?|baby|toddler|twins|eldest|youngest|oldest|middle one",
    "brother": "brother|brothers",
    "sister": "sister|sisters",
    "family": "family",
    "cat": "cat|cats|kitten",
    "dog": "dog|dogs|puppy|pup|terrier|whippet|greyhound|labrador|spaniel|collie",
    "pet": "rabbit|hamster|parrot|tortoise|guinea pigs?|budgie|hens|pony|horse|pet",
}
CODES = tuple(_MEMBERS_ZH)
"""Relatives and pets whose facts count as the user's own to tell."""
_OTHERS_ZH = (
    r"(?:前?[男女]友的?|[大小]?(?:二|三|四)?(?:表|堂)[哥姐弟妹]|朋友|同事|室友|舍友|同学|同桌|领导|老板(?!娘)|上司|主管|经理|总监|客户|顾客|患者|病人"
    r"|邻居|隔壁|楼上|楼下|对门|对面|教练|师傅|房东|网友|博主|群友|主播|明星|闺蜜|发小|哥们|学[长姐弟妹]|徒弟|亲戚|前任|前夫|前妻|工友|队友|老乡|有人|别人|人家|他们|她们"
    r"|支书|书记|组长|队长|会长|校长|村长|镇长|处长|科长|局长|主任|检查组|大哥(?!大)|大姐|大妈|大爷|大叔|大娘|阿姨|婶|小姐姐|小哥哥?|小伙子|小姑娘|司机|服务员|收银|保安|投保户|农户|老农|店员|老师|医生|护士|保洁|专家"
    r"|[小老阿][赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕张孔曹严华金魏陶姜谢邹章苏潘葛范彭鲁韦马方任袁柳唐罗薛梁林高黄徐胡郭刘于]|[赵钱孙李周吴郑王冯陈卫蒋沈韩杨朱秦许何吕张孔曹严金魏陶姜谢邹章苏潘葛范彭方任袁唐罗薛梁林高黄徐胡郭刘于][总工姐哥叔姨婶经])"
)
_OTHERS_EN = (
    r"(?:friends?|mate|mates|colleagues?|coworkers?|co-workers?|boss|manager|supervisor|clients?|customers?|patients?|neighbou?rs?|room-?mate"
    r"|flat-?mate|house-?mate|teacher|coach|landlord|landlady|cousin|ex|ex-husband|ex-wife|classmate|someone|somebody|people|everyone"
    r"|driver|plumber|bloke|guy|girl|lady|man|woman|actor|actress|singer|player|agent|nurse|doctor|dentist|candidate|intern|guest|tenant|influencer|manager|trainer|barber|postman)"
)
_LEAD_ZH = r"^(?:[而但可那就其实对了嗯啊哦欸诶不过因为所以还有另外然后说起提起听说据说昨天今天最近上次这个那位位]{0,6})"
_OWN_ZH = r"(?:我们?家?|俺们?家?|咱们?家?|我们班|我们组|家里|自家)(?:的|那|这|那只|那条|那个|里|个|刚|小|大|只|条|有只|有条|俩|两个|三个)*"
_OTHER_START_ZH = re.compile(
    rf"{_LEAD_ZH}(?:我们?|俺们?|咱们?)?(?:的|那|这|有个|有位|们|公司|单位|部门|组|班|校|的一个|一个|几个|个)*(?:新来的|[大小老])?{_OTHERS_ZH}(?!家(?:有|不)|(?:不?让|叫|要|劝|建议|说|交代|嘱咐|给|跟|对)(?:我|俺))"
)
_OTHER_START_EN = re.compile(
    rf"^(?:and |but |so |also |well |btw |my |our |a |an |the |some |this |that |one of my |one of our )+(?:best |old |new |close |good )?{_OTHERS_EN}\b(?!-)",
    re.IGNORECASE,
)
_SELF_ZH = re.compile(
    r"(?:^|[^给对跟和陪帮让叫为替找])(?:我|俺|本人|偶(?=是|喜|爱|在)|咱(?!们|家))(?!们|家|[爸妈爹娘爷奶姥哥姐弟妹儿女孙婆公岳媳老]|的?(?:朋友|同事|孩子|闺女|先生|太太|爱人|对象))"
)
_SELF_EN = re.compile(r"\b(?:i|i'm|im|i've|ive|i'd|i'll|we|we're|we've)\b", re.IGNORECASE)
_PRONOUN_ZH = re.compile(rf"{_LEAD_ZH}(?:他|她|它|牠)(?!们俩)")
_PRONOUN_EN = re.compile(
    r"^(?:and |but |so |also )*(?:he|she|it|they|his|her|their|he's|she's|it's|they're|its)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is spoken of: `code` is `user`, a family member or pet (`daughter`), or `other`; `words` as the user put it."""

    code: str = "user"
    words: str = ""
    explicit: bool = False


USER = Subject()


def subjects(clauses: list[str], *, han: bool) -> list[Subject]:
    """The subject of each clause; one that names nobody is about whom its predecessor was about."""
    found: list[Subject] = []
    for at, clause in enumerate(clauses):
        before = found[-1] if found else USER
        had = _just_had(clauses[at - 1], clause) if han and at else None
        found.append(had or _named(clause, han=han) or _carried(clause, before, han=han))
    return found


def _named(clause: str, *, han: bool) -> Subject | None:
    if superior(clause) is not None:
        return Subject("user", "", True)
    if (_OTHER_START_ZH if han else _OTHER_START_EN).search(clause):
        return Subject("other", "", True)
    member = _member(clause, han=han)
    if member:
        return member
    if (_SELF_ZH if han else _SELF_EN).search(clause):
        return Subject("user", "", True)
    return None


_NAMES_IT_ZH = re.compile(
    r"^(?:它|她|他)?(?:的)?(?:名字|大名|小名)?(?:叫|取名|今年|品种|绝育|公的|母的|\d+岁|[一二三四五六七八九十两]+岁)"
)
_HAS_PET_ZH = re.compile(
    r"(?:养了|养着|养|有|买了|领养了?|抱了)(?:一|两|三|\d)?(?:只|条|匹|个|头)(?P<who>[\u4e00-\u9fff]{0,4}?(?:猫|狗|犬|兔子?|鹦鹉|仓鼠|乌龟|马|龙猫|柯基|金毛|布偶|英短|泰迪|橘猫|狸花))"
)


def _just_had(before: str, clause: str) -> Subject | None:
    """The pet that the clause before said the user has, if this one goes on about it ("养了只猫，叫团子")."""
    match = _HAS_PET_ZH.search(before)
    if match is None or not _NAMES_IT_ZH.search(clause):
        return None
    code = (
        "cat"
        if re.search(r"猫|布偶|英短|狸花", match["who"])
        else "dog"
        if re.search(r"狗|犬|柯基|金毛|泰迪", match["who"])
        else "pet"
    )
    return Subject(code, match["who"])


def _carried(clause: str, before: Subject, *, han: bool) -> Subject:
    if (_PRONOUN_ZH if han else _PRONOUN_EN).search(clause):
        return Subject(before.code, before.words) if before.code != "user" else Subject("other")
    return Subject(before.code, before.words) if han and before.code != "user" else Subject()


def _member(clause: str, *, han: bool) -> Subject | None:
    for pattern, code in _FORMS_ZH if han else _FORMS_EN:
        match = pattern.search(clause)
        if match:
            return Subject(code, match["who"].strip(), True)
    return None


def _zh(code: str, names: str) -> tuple[re.Pattern[str], str]:
    owner = rf"(?:{_OWN_ZH})" if len(names) < 40 and code in ("cat", "dog", "pet") else rf"(?:{_OWN_ZH})?"
    tail = r"(?![舍粮砂毛鱼])" if code in ("cat", "dog", "pet") else r"(?!节|们班|朋友)"
    return re.compile(rf"{_LEAD_ZH}(?P<who>{owner}(?:{names}){tail}(?:俩|儿)?)"), code


def _en(code: str, names: str) -> tuple[re.Pattern[str], str]:
    return re.compile(
        rf"^(?:and |but |so |also |well |cos |because |since |for |with )*(?P<who>(?:my|our)\s+(?:\w+\s+){{0,2}}?(?:{names}))\b(?!'s (?:friend|school|teacher))",
        re.IGNORECASE,
    ), code


_FORMS_ZH = [_zh(code, names) for code, names in _MEMBERS_ZH.items()]
_FORMS_EN = [_en(code, names) for code, names in _MEMBERS_EN.items()]
