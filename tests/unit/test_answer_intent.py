import pytest

from zhiji.models.answering.intent import asks, intent_of


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("你好", "greeting"),
        ("早上好！", "greeting"),
        ("谢谢你", "thanks"),
        ("再见", "farewell"),
        ("哈哈今天天气不错", "chat"),
        ("我对芒果过敏", "statement"),
        ("记住我不吃香菜", "statement"),
        ("我周末要去爬山", "statement"),
        ("请以后都用表格回答", "statement"),
        ("Please keep answers short from now on", "statement"),
        ("以后怎么退货", "question"),
        ("以后退货要多久", "question"),
        ("你都知道我什么", "overview"),
        ("What do you know about me?", "overview"),
        ("我平时喝什么", "self"),
        ("我叫什么", "self"),
        ("我在哪个城市", "self"),
        ("你还记得我之前说的预算吗", "recall"),
        ("推荐个零食", "advice"),
        ("帮我安排周五的复盘会", "advice"),
        ("怎么退款", "question"),
        ("我的退货期多久", "question"),
        ("我忘记密码了怎么办", "question"),
        ("Hello", "greeting"),
        ("Thanks!", "thanks"),
        ("I'm allergic to peanuts", "statement"),
        ("What is my name?", "self"),
        ("Which city do I live in?", "self"),
        ("Recommend a coffee shop near me", "advice"),
        ("How do I return a probe?", "question"),
        ("Do you remember what I told you about my budget?", "recall"),
    ],
)
def test_what_a_message_wants(message, intent):
    assert intent_of(message) == intent


def test_a_wish_about_the_last_answer_needs_one():
    assert intent_of("把它缩短", has_last_answer=True) == "last_answer"


@pytest.mark.parametrize(
    "message",
    [
        "帮我查下明天的天气",
        "退货政策",
        "E1024",
        "what is the warranty",
        "能开发票吗",
        "忘了密码怎么办",
    ],
)
def test_questions_requests_and_bare_topics_ask(message):
    assert asks(message)


@pytest.mark.parametrize(
    "message",
    [
        "我改喝拿铁了",
        "好的",
        "哈哈哈",
        "I moved to York",
        "你是谁",
        "嗯嗯，明白了",
        "忘掉我住在哪里这件事",
        "Forget where I live",
    ],
)
def test_telling_something_does_not_ask(message):
    assert not asks(message)
