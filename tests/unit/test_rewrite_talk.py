import pytest

from zhiji.core.turn import Turn
from zhiji.models.answering.phrases import PHRASES
from zhiji.models.rewriting.talk import bearing, mood, own_words, replied, said


def window(*texts):
    return [Turn("user" if place % 2 == 0 else "assistant", text) for place, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("谢谢你", "small"),
        ("good morning", "small"),
        ("你是谁", "small"),
        ("我住在杭州", "told"),
        ("I have two cats", "told"),
        ("怎么退款", "asked"),
        ("Where is the library?", "asked"),
        ("再说一遍", "form"),
        ("shorter please", "form"),
        ("哦这样啊", "chat"),
    ],
)
def test_what_the_user_did(text, kind):
    assert said(text) == kind


@pytest.mark.parametrize(
    "name", ["greeting", "thanks", "farewell", "chat", "identity", "understood", "understood_that"]
)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_fixed_phrase_has_no_words_of_its_own(name, lang):
    text = PHRASES[name][lang].format("住在杭州")
    assert replied(text) == "stock" and own_words(text) == ""


@pytest.mark.parametrize("name", ["unknown", "unknown_plain", "no_last"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_an_answer_that_knows_nothing_is_told_apart(name, lang):
    assert replied(PHRASES[name][lang].format("怎么修剪")) == "unknown"


@pytest.mark.parametrize(
    "text", ["抱歉，我不知道。", "我不清楚，您可以问问前台", "Sorry, I don't know.", "I do not know."]
)
def test_other_models_say_so_in_their_own_words(text):
    assert replied(text) == "unknown"


@pytest.mark.parametrize("text", ["不知道哪个好看", "没有找到合适的鞋", "谢谢参与", "明白人都选这个"])
def test_words_that_only_begin_alike_are_words(text):
    assert replied(text) == "words"


def test_courtesies_and_wishes_of_form_are_passed_over():
    held = bearing(window("怎么退款", "五天到账 [K1]。", "谢谢", "不客气。", "简短点", "五天。"))
    assert [turn.text for turn in held] == ["怎么退款", "五天到账 [K1]。", "五天。"]


def test_of_an_exchange_that_knew_nothing_the_question_remains():
    held = bearing(window("香蕉怎么修剪", "不知道：资料库和已有的记忆里都没有能回答的内容。"))
    assert [turn.text for turn in held] == ["香蕉怎么修剪"]


def test_the_turns_right_before_set_the_mood():
    assert mood(window("怎么退款", "五天到账 [K1]。")) == ("asked", "cited")
    assert mood(window("我住在杭州", "明白，您住在杭州。")) == ("told", "stock")
    assert mood([]) == ("nothing", "nothing")


@pytest.mark.parametrize(
    ("talk", "left"),
    [
        (("我平时喜欢喝美式", "好的。", "怎么退款", "五个工作日到账 [K1]。"), ["怎么退款", "五个工作日到账 [K1]。"]),
        (
            ("怎么退款", "五个工作日到账 [K1]。", "我平时喜欢喝美式", ""),
            ["怎么退款", "五个工作日到账 [K1]。", "我平时喜欢喝美式"],
        ),
        (("I like tea", "", "How do I get a refund?", "By card [K1]."), ["How do I get a refund?", "By card [K1]."]),
    ],
)
def test_after_a_question_what_was_told_before_is_left_out(talk, left):
    assert [turn.text for turn in bearing(window(*talk)) if turn.text != "好的。"] == left
