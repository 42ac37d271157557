import pytest

from zhiji.core.turn import Turn
from zhiji.models.rewriting.frames import reframed, topic_of


def texts(query, asked):
    return [one.text for one in reframed(query, [Turn("user", asked)])]


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("龙眼呢", "龙眼"),
        ("那末班车呢？", "末班车"),
        ("还有病假", "病假"),
        ("and for longan?", "longan"),
        ("What about the exchange?", "the exchange"),
    ],
)
def test_a_question_that_only_names_another_topic(query, topic):
    assert topic_of(query).text == topic


@pytest.mark.parametrize(
    "query", ["那退款怎么办", "多少钱", "我不喝咖啡了", "So how do I book a train?", "Is it open?", "？", ""]
)
def test_a_question_that_asks_something_names_no_mere_topic(query):
    assert topic_of(query) is None


@pytest.mark.parametrize(
    ("asked", "query", "again"),
    [
        ("寄到广州要几天", "新疆呢", "寄到新疆要几天"),
        ("How do I prune apple trees?", "and for pears?", "How do I prune apple trees for pears?"),
        ("How do I get a refund?", "and an exchange?", "How do I get an exchange?"),
        ("怎么报修？", "如果过了保修期呢", "如果过了保修期怎么报修"),
        ("Can I bring a guest?", "and if it rains?", "Can I bring a guest if it rains?"),
        ("Can I bring a guest?", "until when?", "Can I bring a guest, until when?"),
    ],
)
def test_the_last_question_can_be_asked_again(asked, query, again):
    assert again in texts(query, asked)


def test_what_more_was_asked_is_not_asked_again():
    assert "Can I bring a dog?" in texts("and a dog?", "Can I bring a guest, until when?")


def test_a_question_in_another_language_is_not_mixed_in():
    assert texts("and in winter?", "怎么浇花") == []


def test_what_the_user_told_of_themselves_is_no_question_to_ask_again():
    assert texts("Is there a gym?", "I live in Leeds.") == []
