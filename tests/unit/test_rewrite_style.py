import pytest

from zhiji.models.rewriting.style import about_last_answer, style_of, without_style


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("怎么退款？请详细一点", "long"),
        ("这次请详细一点", "long"),
        ("展开说说", "long"),
        ("简短点", "short"),
        ("把它缩短", "short"),
        ("用一句话总结", "one"),
        ("Explain refunds in detail", "long"),
        ("make it shorter", "short"),
        ("in one sentence please", "one"),
        ("怎么退款", None),
        ("详细地址是什么", None),
        ("他长得高吗", None),
        ("how long does it take", None),
    ],
)
def test_the_length_asked_for(text, length):
    assert style_of(text).length == length


@pytest.mark.parametrize(("text", "lang"), [("用英文回答", "en"), ("answer in Chinese", "zh"), ("英文怎么学", None)])
def test_the_language_asked_for(text, lang):
    assert style_of(text).lang == lang


@pytest.mark.parametrize(
    "text",
    [
        "把它缩短",
        "把刚才那个方案缩短",
        "用一句话总结",
        "再说一遍",
        "Make it shorter",
        "详细一点",
        "列成清单",
        "用表格",
        "说简单点",
        "换个说法",
        "讲得通俗一点",
        "说人话",
        "接着说",
        "as a table",
        "make it simpler",
        "rephrase that",
    ],
)
def test_a_wish_of_form_alone_is_about_the_last_answer(text):
    assert about_last_answer(text)


@pytest.mark.parametrize(
    "text",
    [
        "怎么退款？请详细一点",
        "简单介绍一下会员等级",
        "推荐个零食",
        "把会议缩短到一小时行吗",
        "表格怎么下载",
        "填表要多久",
        "用表面活性剂行吗",
        "Is there a simpler way to pay?",
        "换个地方住",
    ],
)
def test_a_question_with_its_own_subject_is_not(text):
    assert not about_last_answer(text)


def test_a_clause_that_only_asks_for_form_is_not_searched_for():
    assert without_style("怎么退款？请详细一点") == "怎么退款？"
    assert without_style("详细介绍会员等级") == "详细介绍会员等级"
