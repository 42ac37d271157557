"""The thread as the nodes see it."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from zhiji.core.errors import InvalidInput
from zhiji.nodes.conversation import MAX_MESSAGE, answer_id, question_of, turns_before

THREAD = [
    HumanMessage("我住在杭州", id="1"),
    AIMessage("明白。", id="1:answer"),
    HumanMessage("怎么退款", id="2"),
]


def test_the_question_is_the_last_thing_the_user_said():
    assert question_of({"messages": [*THREAD, AIMessage("…", id="2:answer")]}).id == "2"


def test_a_named_message_is_answered_again():
    assert question_of({"messages": THREAD, "question_id": "1"}).id == "1"


def test_the_window_ends_before_the_question():
    assert [turn.text for turn in turns_before(THREAD, THREAD[2])] == ["我住在杭州", "明白。"]


def test_the_window_begins_after_what_the_summary_holds():
    assert [turn.text for turn in turns_before(THREAD, THREAD[2], after="1")] == ["明白。"]


def test_an_answer_given_again_replaces_the_old_one():
    assert answer_id(THREAD[0]) == THREAD[1].id


@pytest.mark.parametrize("text", ["", " \n", "\x00", "长" * (MAX_MESSAGE + 1)], ids=["empty", "blank", "NUL", "long"])
def test_what_cannot_be_answered_is_refused(text):
    with pytest.raises(InvalidInput):
        question_of({"messages": [HumanMessage(text, id="1")]})


def test_a_thread_without_a_user_has_no_question():
    with pytest.raises(InvalidInput):
        question_of({"messages": [AIMessage("hello", id="1")]})
