"""Blacking out secrets: nothing of one is left, and nothing else is touched."""

import pytest

from zhiji.core.secrets import MASK, find_secret, mask_secrets


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("我的密码是 Hunter2!x，帮我记一下", "Hunter2"),
        ("卡号 6222 0202 0011 2233 446 和 4111 1111 1111 1111", "1111"),
        ("我的身份证号是11010519491231002X", "11010519491231002X"),
        ("api key: sk-proj-Abcdef0123456789Abcdef0123456789", "Abcdef"),
        ("password is sk-proj-Abcdef0123456789Abcdef0123456789zz", "zz"),
    ],
    ids=["password", "two cards", "identity number", "key", "a key that is a password too"],
)
def test_nothing_of_a_secret_is_left(text, secret):
    masked = mask_secrets(text)
    assert MASK in masked and secret not in masked
    assert find_secret(masked) is None


@pytest.mark.parametrize("text", ["我忘了密码", "订单号 20260101123456", "E1024怎么处理", "", "ＶＩＰ 用户"])
def test_a_text_without_a_secret_comes_back_as_it_is(text):
    assert mask_secrets(text) == text


def test_what_is_no_secret_keeps_its_signs():
    assert mask_secrets("我叫赵宁，（全角）密码是 839201。") == "我叫赵宁，（全角）密码是 ████。"
    assert mask_secrets("密码是８３９２０１，别说") == "密码是████，别说"
