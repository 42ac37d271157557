"""Which sentence of the given passages leads an answer, and what follows it."""

import pytest

from zhiji.core.turn import Passage
from zhiji.models.answer import AnswerRequest
from zhiji.models.answer_embedded import EmbeddedAnswerer
from zhiji.models.answering.asked import decides, joins, naming_terms
from zhiji.models.answering.bearing import twins
from zhiji.models.answering.same_words import same_words
from zhiji.models.answering.wording import measure_of


def passage(text, heading, title="手册", label="K1", score=0.8):
    return Passage(label, f"{title}.md", heading, text, score, 1, label=label, title=title)


async def answer(question, *passages, lang="zh", **given):
    request = AnswerRequest(question, question, lang, passages=passages, **given)
    return "".join([piece async for piece in EmbeddedAnswerer().answer(request)])


PEACH = passage("桃蛀螟在6月上旬第一次打药。", "桃蛀螟", "桃树手册", "K1", 0.9)
PLUM = passage("李蛀螟与桃蛀螟相近，在7月下旬第一次打药。", "李蛀螟", "李树手册", "K2", 0.7)


async def test_what_is_on_a_look_alike_is_not_told():
    said = await answer("李蛀螟什么时候打药", PEACH, PLUM)
    assert "7月下旬" in said
    assert "6月上旬" not in said


async def test_look_alikes_are_both_told_when_both_are_asked_for():
    said = await answer("桃蛀螟和李蛀螟什么时候打药", PEACH, PLUM)
    assert "6月上旬" in said
    assert "7月下旬" in said


def test_a_passage_that_names_as_much_of_the_question_is_no_twin():
    assert twins(("桃蛀螟", "李蛀螟"), [PEACH, PLUM]) == frozenset()
    assert twins(("李蛀螟", "蛀螟"), [PEACH, PLUM]) == frozenset({0})


@pytest.mark.parametrize(
    ("question", "leads"),
    [
        ("月票多少钱", "月票每张90元"),
        ("月票在哪里买", "售票处在北门一层"),
        ("月票可以转让吗", "月票不得转让"),
        ("售票处几点开门", "售票处8:30开门"),
        ("售票处电话是多少", "售票处电话0571-8820011"),
    ],
    ids=["money", "place", "yes or no", "time", "contact"],
)
async def test_the_sentence_that_holds_what_is_asked_for_leads_and_is_enough(question, leads):
    text = "月票每张90元。月票不得转让。购买月票请到售票处，售票处在北门一层。售票处8:30开门。售票处电话0571-8820011。"
    said = await answer(question, passage(text, "购票"))
    assert leads in said.split("[")[0]
    assert said.count("[K1]") == 1


async def test_a_bare_yes_or_no_is_told_with_its_reason():
    said = await answer("可以带伞进馆吗", passage("不可以。请把伞寄存在门口。馆内恒温22度。", "可以带伞进馆吗"))
    assert said.startswith("不可以。请把伞寄存在门口 [K1]")


async def test_another_sections_sentence_is_not_added_to_a_full_answer():
    one = passage("春假有4天。", "春假", label="K1", score=0.9)
    two = passage("秋假有6天，春假之后才能申请。", "秋假", label="K2", score=0.7)
    assert await answer("春假有几天", one, two) == "春假有4天 [K1]。"


STEPS = "1. 打开阀门；\n2. 按下绿色按钮；\n3. 等待三分钟；\n4. 关闭阀门。"


async def test_steps_are_told_together_whatever_words_one_of_them_shares():
    said = await answer("设备怎么关闭再冲洗", passage(STEPS, "冲洗"))
    assert [line[:2] for line in said.splitlines() if line[:1].isdigit()] == ["1.", "2.", "3.", "4."]


async def test_an_item_is_told_alone_when_the_question_names_its_label():
    text = "要点：\n\n1. 测报：每5天查一次。\n2. 用药：灭蛾灵800倍液。\n3. 清园：冬季深埋落叶。"
    said = await answer("茶毛虫用什么药", passage(text, "茶毛虫"))
    assert "灭蛾灵" in said
    assert "深埋" not in said


async def test_more_detail_stays_with_what_is_told():
    steps = passage(f"{STEPS}\n\n冲洗用水约3升。", "冲洗", label="K1", score=0.9)
    beside = passage("冲洗以后的设备可以出租。租金每天8元。", "出租", label="K2", score=0.7)
    said = await answer("怎么冲洗", steps, beside, instruction="请详细一点")
    assert "租金" not in said


async def test_an_item_of_several_sentences_is_told_by_the_one_that_answers():
    text = "1. Open the mail. The link works for 45 minutes.\n2. Choose a password."
    said = await answer("How long does the link work?", passage(text, "Reset", "Help"), lang="en")
    assert said == "The link works for 45 minutes [K1]."


async def test_a_row_of_the_other_language_is_quoted_with_its_header_in_the_questions_language():
    table = "| 代码 | 含义 | 处理 |\n|---|---|---|\n| F17 | 风扇停转 | 清除灰尘 |\n| F18 | 温度过高 | 通风 |"
    said = await answer("What does F17 mean?", passage(table, "故障代码"), lang="en")
    assert said == "The source is in Chinese and says: “F17的含义是风扇停转；处理：清除灰尘” [K1]."


async def test_a_row_tells_the_cell_that_holds_the_unit_asked_for():
    table = "| 名称 | 楼层 | 座位 | 设备 |\n|---|---|---|---|\n| 海棠厅 | 6层 | 18人 | 白板 |\n| 石榴厅 | 2层 | 9人 | 白板 |"
    said = await answer("海棠厅能坐多少人", passage(table, "会议室"))
    assert "18人" in said
    assert "6层" not in said


async def test_an_everyday_word_finds_the_documents_word():
    text = "积分到账需要1天，随时可以使用。积分在次年3月1日清零。"
    assert "3月1日" in (await answer("积分什么时候过期", passage(text, "积分"))).split("[")[0]


def test_pure_parts_of_the_choice():
    assert naming_terms("检验要几天") == ("检验",)
    assert measure_of("一箱有多少个人") == "人"
    assert decides("Bags must go into the lockers")
    assert joins("red or blue?")
    assert "lapse" in same_words("The days expire in May.")
