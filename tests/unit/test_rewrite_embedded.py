import pytest

from zhiji.core.turn import Turn
from zhiji.models.rewrite_embedded import EmbeddedRewriter


def window(*texts):
    return [Turn("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(texts)]


async def query(question, *texts):
    return await EmbeddedRewriter().rewrite(question, window(*texts))


@pytest.mark.parametrize(
    ("asked", "answered", "question", "completed"),
    [
        ("怎么申请换货", "在订单页点售后。", "那个要多久", "换货要多久"),
        ("你看过红楼梦吗", "看过。", "它的作者是谁", "红楼梦的作者是谁"),
        ("洗碗机怎么安装", "先接水管 [K1]。", "它费水吗", "洗碗机费水吗"),
        ("你喜欢喝龙井吗", "喜欢", "嗯好喝", "嗯龙井好喝"),
        (
            "How do I get a refund?",
            "Refunds go to your card.",
            "How long does it take?",
            "How long does the refund take?",
        ),
    ],
)
async def test_a_question_that_leans_on_the_talk_is_completed(asked, answered, question, completed):
    assert (await query(question, asked, answered)).text == completed


@pytest.mark.parametrize(
    "question",
    [
        "附近有什么咖啡店",
        "我平时喝什么",
        "我在哪个城市",
        "荔枝蒂蛀虫怎么防治",
        "我改喝拿铁了",
        "我对海鲜过敏",
        "帮我安排周五的复盘会",
        "什么是碳中和",
        "What is my name?",
        "I moved to York",
        "How many days of annual leave do I get?",
    ],
)
async def test_a_question_that_stands_alone_comes_back_as_it_was(question):
    found = await query(question, "怎么申请退货", "在订单页点售后。")
    assert found.text == found.original == question


async def test_without_a_talk_nothing_can_be_completed():
    assert not (await query("那个怎么弄")).rewritten


async def test_a_wish_about_the_last_answer_names_its_subject():
    found = await query("把它缩短", "怎么退款", "验收后5个工作日内到账 [K1]。")
    assert "怎么退款" in found.text
    assert found.instruction == "缩短"


async def test_a_thing_made_in_the_talk_is_named_by_its_subject():
    assert "团建" in (await query("刚才那个方案要花多少钱", "帮我写一个团建方案", "上午爬山，下午烧烤。")).text


@pytest.mark.parametrize(
    ("question", "recalls"),
    [
        ("你还记得我之前说的预算吗", True),
        ("我上次跟你说过什么", True),
        ("记住我不吃香菜", False),
        ("怎么退款", False),
        ("Do you remember my budget?", True),
        ("Remember that I don't eat pork", False),
    ],
)
async def test_the_recall_signal(question, recalls):
    assert (await query(question)).recall_signal is recalls


async def test_keywords_carry_codes_and_nouns_only():
    assert (await query("请问HG-300的保修期是多久")).keywords[0] == "hg-300"
    assert "多久" not in (await query("请问HG-300的保修期是多久")).keywords


async def test_the_language_of_a_bare_code_is_that_of_the_talk():
    assert (await query("E1024?", "How do I reset the valve?", "Hold the button.")).lang == "en"


async def test_a_category_named_plainly_is_taken_up():
    rewriter = EmbeddedRewriter(categories=["人事制度", "产品"])
    assert (await rewriter.rewrite("在人事制度里查年假", [])).category == "人事制度"
    assert (await rewriter.rewrite("年假有几天", [])).category is None


@pytest.mark.parametrize("question", ["", " ", "🙂", "？？？", "它" * 500, "a" * 3000])
async def test_odd_questions_come_back_as_they_were(question):
    assert (await query(question, "怎么退款", "在订单页申请。")).text == question
