import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from zhiji.core.turn import Turn
from zhiji.models.rewrite_chat import ChatRewriter
from zhiji.models.rewrite_embedded import EmbeddedRewriter

TALK = [Turn("user", "E1024 怎么处理"), Turn("assistant", "清除阀体内的泥沙。")]


class Broken(GenericFakeChatModel):
    async def _agenerate(self, *args, **given):
        raise RuntimeError("503 overloaded")


def rewriter(*replies, kind=GenericFakeChatModel):
    return ChatRewriter(kind(messages=iter(map(AIMessage, replies))), EmbeddedRewriter(), 5.0)


async def test_the_models_completion_becomes_the_query():
    query = await rewriter("“处理 E1024 要多久”").rewrite("那个要多久", TALK)
    assert (query.text, query.original) == ("处理 E1024 要多久", "那个要多久")
    assert query.keywords


async def test_without_a_conversation_no_model_is_asked():
    assert (await rewriter().rewrite("怎么退款", [])).text == "怎么退款"


@pytest.mark.parametrize(
    "strayed",
    ["", "可以这样：\n1. 关阀", "处理故障要多久" * 60, "那个故障要多久"],
    ids=["nothing", "an answer", "too long", "the code is gone"],
)
async def test_a_model_that_strays_is_overruled(strayed):
    embedded = await EmbeddedRewriter().rewrite("E1030 呢", TALK)
    assert await rewriter(strayed).rewrite("E1030 呢", TALK) == embedded


async def test_a_model_that_fails_is_overruled():
    embedded = await EmbeddedRewriter().rewrite("那个要多久", TALK)
    assert await rewriter(kind=Broken).rewrite("那个要多久", TALK) == embedded
