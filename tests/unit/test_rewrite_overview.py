import pytest

from zhiji.models.rewriting.signals import overview

ASKED = (
    "你都知道我什么|你知道我些什么？|你还记得我哪些事|关于我你知道些什么|关于我，你都记住了什么|你了解我多少"
    "|说说你知道的关于我的信息|我是谁|你记住了我的哪些信息|告诉我你记得的关于我的情况|你還記得我什麼|你记得我吗"
    "|What do you know about me?|what have you learned about me so far|Tell me everything you know about me"
    "|Who am I?|what do you remember about me|Show my profile"
)
NOT_ASKED = (
    "你知道我住哪吗|你记得我喜欢喝什么吗|我叫什么|你知道怎么退款吗|我的会员等级是什么|你了解我们公司多少"
    "|关于我上次的订单，你知道什么时候到吗|What do you know about refunds|do you remember my name"
    "|what do you know about my order"
)


@pytest.mark.parametrize("question", ASKED.split("|"))
def test_all_that_is_known_of_the_user_is_asked_for(question):
    assert overview(question)


@pytest.mark.parametrize("question", NOT_ASKED.split("|"))
def test_one_thing_is_asked_for(question):
    assert not overview(question)
