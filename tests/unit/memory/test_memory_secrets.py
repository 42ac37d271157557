import pytest

from zhiji.core.secrets import chinese_id, find_secret, luhn


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("我的银行卡密码是 839201", "password"),
        ("wifi密码:hello1234", "password"),
        ("登录密码改成 Xk_2207 了", "password"),
        ("my password is Hunter2!", "password"),
        ("the PIN for my card is 4821", "password"),
        ("cvv 123", "password"),
        ("卡号是 4111-1111-1111-1111，记一下", "card number"),
        ("４１１１１１１１１１１１１１１１", "card number"),
        ("身份证 11010519491231002X", "identity number"),
        ("SSN 078-05-1120", "identity number"),
        ("key: sk-abcdefghijklmnopqrst1234", "key"),
        ("postgres://bob:s3cret@db.example/x", "key"),
        ("-----BEGIN RSA PRIVATE KEY-----", "key"),
    ],
)
def test_a_secret_is_found_and_never_repeated(text, kind):
    assert find_secret(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "我忘了密码",
        "密码怎么改",
        "我的手机号是 13800138000",
        "订单号 202401011234567890",
        "I forgot my password",
        "password reset takes 30 minutes",
        "我每天走 10000 步",
        "会议定在 2026-05-01 14:00",
        "https://example.org/a/very/long/path/with-many-Parts-2026",
        "身份证号 110105194912310021",
    ],
)
def test_talk_about_secrets_and_plain_numbers_is_none(text):
    assert find_secret(text) is None


def test_check_digits():
    assert luhn("4111111111111111")
    assert not luhn("4111111111111112")
    assert chinese_id("11010519491231002X")
