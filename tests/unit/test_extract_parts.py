from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiji.models.extracting.asking import asks
from zhiji.models.extracting.changes import (
    a_value,
    changed,
    corrections,
    denied,
    forgotten,
    only_forgets,
    stopped,
    what_is_forgotten,
)
from zhiji.models.extracting.clauses import split
from zhiji.models.extracting.cues import cues, shows
from zhiji.models.extracting.dates import find, resolve
from zhiji.models.extracting.features import Reading
from zhiji.models.extracting.frames import played
from zhiji.models.extracting.judge import TOKENS, head, told_first
from zhiji.models.extracting.keys import named, topic_of
from zhiji.models.extracting.numerals import in_digits
from zhiji.models.extracting.people import USER, Subject, subjects
from zhiji.models.extracting.replies import completed
from zhiji.models.extracting.wording import third_person_zh
from zhiji.models.extracting.wording_en import third_person_en

WEDNESDAY = date(2026, 5, 6)


@pytest.mark.parametrize(
    ("message", "han", "clauses"),
    [
        ("我住在杭州，平时喜欢喝美式", True, ["我住在杭州", "平时喜欢喝美式"]),
        ("我14 初二 住校", True, ["我14", "初二", "住校"]),
        ("我用 iPhone 手机，在 Google 上班", True, ["我用 iPhone 手机", "在 Google 上班"]),
        ("我今年 35 岁 喜欢 Python 和 Go", True, ["我今年 35 岁", "喜欢 Python 和 Go"]),
        ("A53883 的显示器怎么退", True, ["A53883 的显示器怎么退"]),
        ("我叫Tom 住在杭州", True, ["我叫Tom", "住在杭州"]),
        ("从今天起，金额都写人民币", True, ["从今天起，金额都写人民币"]),
        ("把“我是一名护士，在急诊科”翻成英文", True, ["把“我是一名护士，在急诊科”翻成英文"]),
        ("预算1,200元", True, ["预算1,200元"]),
        ("I'm a nurse and I love gardening", False, ["I'm a nurse", "and I love gardening"]),
        ("type 2 since 2019, metformin twice a day", False, ["type 2 since 2019", "metformin twice a day"]),
    ],
)
def test_a_message_parts_where_one_fact_ends(message, han, clauses):
    assert [clause.text for clause in split(message, han=han)] == clauses


@given(st.text(max_size=200), st.booleans())
def test_every_clause_stands_where_it_says(message, han):
    assert all(message[c.start : c.end] == c.text for c in split(message, han=han))


@pytest.mark.parametrize(
    ("clauses", "codes"),
    [
        (["我住在杭州", "喜欢喝茶"], ["user", "user"]),
        (["我女儿高二", "走读"], ["daughter", "daughter"]),
        (["我妈血压高", "我给她买了药"], ["mother", "user"]),
        (["我朋友喜欢喝茶", "住在苏州"], ["other", "other"]),
        (["隔壁老王搬走了"], ["other"]),
        (["我养了一只猫", "叫团子"], ["user", "cat"]),
    ],
)
def test_a_clause_is_about_whoever_was_named_last(clauses, codes):
    assert [one.code for one in subjects(clauses, han=True)] == codes


@pytest.mark.parametrize(
    ("clauses", "codes"),
    [(["My daughter is seven", "she loves trains"], ["daughter", "daughter"]), (["My boss hates olives"], ["other"])],
)
def test_pronouns_follow_their_person(clauses, codes):
    assert [one.code for one in subjects(clauses, han=False)] == codes


@pytest.mark.parametrize(
    ("clause", "key", "value"),
    [
        ("我叫林夏", "identity.name", "林夏"),
        ("叫我老秦就行", "identity.nickname", "老秦"),
        ("我今年三十岁", "identity.age", "三十"),
        ("我老家在湖北", "residence.hometown", "湖北"),
        ("我是湖南人", "residence.hometown", "湖南"),
        ("我現在住在臺中", "residence.city", "臺中"),
        ("我是小学老师", "job.title", "小学老师"),
        ("我对虾也过敏", "diet.allergy", "虾"),
        ("我吃素", "diet.restriction", "吃素"),
        ("我不吃香菜", "diet.restriction", "香菜"),
        ("我爱喝乌龙茶", "preference.drink", "乌龙茶"),
    ],
)
def test_what_the_profile_knows_gets_its_key(clause, key, value):
    one = named(clause, han=True, own=True, guess="other")
    assert (one.key, one.value, one.sure) == (key, value, True)


@pytest.mark.parametrize("clause", ["我住在六楼", "我住在学校宿舍", "我住在我姐家"])
def test_a_floor_or_a_house_is_no_city(clause):
    assert named(clause, han=True, own=True, guess="home").key != "residence.city"


def test_a_guess_never_names_a_field_with_one_value():
    assert named("厨房没有烤箱", han=True, own=True, guess="home").key == "home.other"


def test_moving_names_both_places():
    one = named("I moved from Leeds to York", han=False, own=True, guess="other")
    assert (one.key, one.value, one.old) == ("residence.city", "York", "Leeds")


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("您在哪个城市？", "residence.city"),
        ("怎么称呼您？", "identity.name"),
        ("How old are you?", "identity.age"),
        ("还要吗？", ""),
    ],
)
def test_a_question_tells_what_its_answer_is_about(question, key):
    assert topic_of(question) == key


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("后天做肠镜", date(2026, 5, 8), date(2026, 5, 8)),
        ("下周三面试", date(2026, 5, 13), date(2026, 5, 13)),
        ("周三开会", date(2026, 5, 6), date(2026, 5, 6)),
        ("周二开会", date(2026, 5, 12), date(2026, 5, 12)),
        ("下周去北京", date(2026, 5, 11), date(2026, 5, 17)),
        ("下个月5号结婚", date(2026, 6, 5), date(2026, 6, 5)),
        ("3号交房租", date(2026, 6, 3), date(2026, 6, 3)),
        ("十一月八号办婚礼", date(2026, 11, 8), date(2026, 11, 8)),
        ("三天后出发", date(2026, 5, 9), date(2026, 5, 9)),
        ("flying to Oslo this Saturday", date(2026, 5, 9), date(2026, 5, 9)),
        ("dentist next Tuesday", date(2026, 5, 12), date(2026, 5, 12)),
        ("defending on October 21", date(2026, 10, 21), date(2026, 10, 21)),
    ],
)
def test_relative_dates_count_from_the_message(text, first, last):
    [found] = find(text, WEDNESDAY)
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize("text", ["我住12号楼", "每月25号关账", "我喜欢喝茶", "二月三十号"])
def test_what_is_no_date_is_left_alone(text):
    assert find(text, WEDNESDAY) == []


def test_without_a_time_no_date_is_made_up():
    assert resolve("用户后天做肠镜", None) == ("用户后天做肠镜", [])


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("我喜欢喝美式", "用户喜欢喝美式"),
        ("我老婆怀孕了", "用户的老婆怀孕了"),
        ("我跟我老公是相亲认识的", "用户跟自己的老公是相亲认识的"),
        ("我们公司二十个人", "用户的公司二十个人"),
        ("我家住六楼没电梯", "用户家住六楼没电梯"),
        ("我對蝦過敏呢", "用戶對蝦過敏"),
        ("其实我不吃辣啦", "用户不吃辣"),
        ("别给我发语音", "用户要求别给自己发语音"),
    ],
)
def test_a_chinese_clause_becomes_a_sentence_about_the_user(clause, sentence):
    assert third_person_zh(clause, subjects([clause], han=True)[0], rule=True) == sentence


def test_a_clause_without_a_subject_gets_the_one_that_is_carried():
    assert third_person_zh("三岁", Subject("cat", "我家那只布偶")) == "用户家那只布偶三岁"


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [
        ("I usually drink tea", "The user usually drinks tea"),
        ("I've moved to Leeds", "The user has moved to Leeds"),
        ("my wife's a nurse", "The user's wife's a nurse"),
        ("I don't eat pork", "The user doesn't eat pork"),
        ("got two cats", "The user got two cats"),
        ("flat feet", "The user says: flat feet"),
        ("don't call me mate", "The user asks the assistant not to call them mate"),
        ("from now on answer me in French", "The user asks the assistant from now on to answer them in French"),
    ],
)
def test_an_english_clause_becomes_a_sentence_about_the_user(clause, sentence):
    assert third_person_en(clause, USER, rule=True) == sentence


@pytest.mark.parametrize(
    ("message", "old", "new"),
    [
        ("我不叫小明，我叫小华", "小明", "小华"),
        ("不是3号，是13号", "3号", "13号"),
        ("It's Freya, not Freja", "Freja", "Freya"),
        ("My name isn't Tom, it's Jack", "Tom", "Jack"),
    ],
)
def test_a_correction_tells_the_wrong_from_the_right(message, old, new):
    [one] = corrections(message)
    assert (one.old, one.new) == (old, new)


@pytest.mark.parametrize(
    ("clause", "about"),
    [("忘掉我住哪", "我住哪"), ("请把我的生日删掉", "我的生日"), ("Forget where I live", "where I live")],
)
def test_a_request_to_forget_names_what(clause, about):
    assert (forgotten(clause), what_is_forgotten(clause)) == (True, about)


@pytest.mark.parametrize(
    ("clause", "what"), [("我不再用iPhone了", "用iPhone"), ("I no longer smoke", "smoke"), ("我喜欢喝茶", "")]
)
def test_giving_up_names_what(clause, what):
    assert stopped(clause) == what


@pytest.mark.parametrize(
    ("quote", "message", "is_change"),
    [
        ("现在跑网约车", "我原来坐柜台，现在跑网约车", True),
        ("我改喝拿铁了", "我改喝拿铁了", True),
        ("打算把彩电换成投影", "打算把彩电换成投影", False),
        ("我喜欢喝拿铁", "我喜欢喝拿铁", False),
    ],
)
def test_only_what_has_changed_is_a_change(quote, message, is_change):
    assert changed(quote, message) is is_change


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("四十亩地", "40亩地"),
        ("两岁半", "2岁半"),
        ("广西百色", "广西百色"),
        ("十分喜欢", "十分喜欢"),
        ("三万五千块", "三万五千块"),
        ("十月六号", "十月六号"),
        ("三月二十八号", "三月二十八号"),
        ("二十八万", "二十八万"),
    ],
)
def test_only_what_counts_is_written_in_digits(text, written):
    assert in_digits(text) == written


@pytest.mark.parametrize("message", ["你扮演卖家，我扮演买家", "Pretend I'm a Roman senator", "咱们来演一段"])
def test_a_role_play_is_seen(message):
    assert played([message])


@pytest.mark.parametrize("message", ["我女儿喜欢演戏", "I play chess", "我负责模拟电路"])
def test_talk_of_plays_is_no_role_play(message):
    assert not played([message])


@pytest.mark.parametrize(
    ("asked", "said", "value"),
    [
        ("您喜欢啤酒、威士忌还是鸡尾酒？", "第二个", "威士忌"),
        ("您喜欢靠窗还是靠过道？", "后者", "靠过道"),
        ("您在哪个城市？", "合肥", "合肥"),
    ],
)
def test_an_answer_is_read_with_its_question(asked, said, value):
    reply = completed(Reading(said, asked), 0, said, "other")
    assert reply is not None and reply.key.value == value


def test_a_statement_of_its_own_needs_no_question():
    assert completed(Reading("我喜欢喝普洱茶", "您喜欢喝什么？"), 0, "我喜欢喝普洱茶", "other") is None


def test_a_date_written_out_keeps_the_users_word():
    assert resolve("The user flies to Oslo this Saturday", datetime(2026, 5, 6, tzinfo=UTC))[0] == (
        "The user flies to Oslo this Saturday (2026-05-09)"
    )


@pytest.mark.parametrize("text", ["百香果", "万一", "千万别", "一般", "十分", "三亚", "四川", "五常"])
def test_a_numeral_inside_a_word_is_no_number(text):
    assert in_digits(f"用户爱吃{text}") == f"用户爱吃{text}"


@pytest.mark.parametrize("text", ["特别喜欢", "分别住两处", "区别很大", "级别高", "和别人合租"])
def test_a_word_that_holds_the_sign_for_do_not_denies_nothing(text):
    assert not shows(cues(text), "no", "averse")


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [("I no longer use Slack", "The user no longer uses Slack"), ("but I prefer tea", "The user prefers tea")],
)
def test_what_joins_or_negates_stays_out_of_the_verb(clause, sentence):
    assert third_person_en(clause, USER) == sentence


@pytest.mark.parametrize(("words", "value"), [("了", ""), ("的", ""), ("拿铁", "拿铁"), ("Leeds", "Leeds")])
def test_a_particle_is_no_value(words, value):
    assert a_value(words) == value


@pytest.mark.parametrize(
    "text", ["我是干嘛的", "我多大", "我住几号", "这台打印机能双面打印吗", "热水器漏水找谁", "退货要多久"]
)
def test_a_question_needs_no_question_mark(text):
    assert asks(text)


@pytest.mark.parametrize(
    "text", ["我就买了几个", "我差不多大了", "我住在杭州", "忘掉我住哪", "没什么忌口", "以后叫我老秦"]
)
def test_a_statement_is_no_question(text):
    assert not asks(text)


def test_home_is_where_the_user_lives():
    one = named("My home is in Bristol", han=False, own=True, guess="home")
    assert (one.key, one.value) == ("residence.city", "Bristol")


@pytest.mark.parametrize(
    ("clause", "only"),
    [
        ("那条作废吧", True),
        ("scrap that", True),
        ("别记了", True),
        ("忘掉我的住址", False),
        ("forget my address", False),
    ],
)
def test_a_request_to_forget_may_leave_its_object_to_the_words_before(clause, only):
    assert only_forgets(clause) is only


def test_of_a_long_message_only_the_likeliest_clauses_are_embedded():
    reading = Reading("，".join(["我住在杭州", "我对花生过敏", "我喜欢喝美式"] * 20))
    assert 0 < sum(len(reading.clauses[at].text) for at in told_first(reading)) < TOKENS


def test_a_clause_without_end_is_embedded_only_at_its_head():
    reading = Reading("我住在杭州" * 40)
    assert 0 < len(head(reading, 0)) < 50


def test_a_greeting_is_not_embedded():
    assert told_first(Reading("你好，在吗")) == []


@pytest.mark.parametrize(
    ("clause", "message", "what"),
    [
        ("我不是老师", "你记错了，我不是老师", "老师"),
        ("我没有糖尿病", "我没有糖尿病，之前说错了", "糖尿病"),
        ("I'm not a vegetarian", "That's wrong, I'm not a vegetarian", "vegetarian"),
        ("我不是老师", "我不是老师，我开店的", ""),
        ("我不喜欢别人说错我的名字", "我不喜欢别人说错我的名字", ""),
    ],
)
def test_a_denial_takes_back_only_what_was_held_by_mistake(clause, message, what):
    assert denied(clause, message) == what
