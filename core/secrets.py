"""Finding a secret in a text: what is never stored, under any policy."""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator

MASK = "████"
Span = tuple[int, int]

_CARD = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.]?\d)")
# A number that is called a card's is one, also when a digit is mistyped and the check fails.
_NAMED_CARD = re.compile(
    r"(?:银行卡|信用卡|储蓄卡|借记卡|卡号|\bcard(?: number| no\.?)?)[^\d\n]{0,10}(?P<value>\d(?:[ -]?\d){11,18})(?!\d)",
    re.I,
)
_CHINESE_ID = re.compile(r"(?<!\d)\d{6}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])")
_SOCIAL_SECURITY = re.compile(r"(?<!\d)(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?!\d)")
_KEY_FORMS = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"sk-[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|LTAI[A-Za-z0-9]{12,}|AIza[\w-]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|hf_[A-Za-z0-9]{20,}|lsv2_\w{20,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{5,})"
)
_PRIVATE_KEY = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
_URL_LOGIN = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/:@]+:[^\s/@]{3,}@", re.I)
_WORD_ZH = (
    r"(?:(?:登[录陆]|支付|取款|交易|开机|锁屏|银行卡?|邮箱|账[户号]|wi-?fi|门锁|保险箱)?"
    r"\s*(?:密码|口令|密钥|验证码)|pin码)"
)
_WORD_EN = (
    r"(?:pass(?:word|code|phrase)|passwd|pwd|pin(?: code| number)?|cvv2?|cvc|security code|verification code|otp"
    r"|api[ _-]?key|secret(?: key)?|access[ _-]?(?:key|token)|token|private key)"
)
# What follows the word must be a value, not talk about it, hence Latin letters, digits and marks only.
_VALUE = r"[\"'“‘「`]?(?P<value>[A-Za-z0-9!@#$%^&*_+=.?~<>/\\-]{3,128})"
_LINK_ZH = r"(?:\s|现在|已经|就|都|还|一直|改|设置?|换|更新|重置)*(?:[是为成:]|到)?\s*(?:了|的是)?"
_LINK_EN = r"(?:\s+(?:for|to|of|on)(?:\s+[\w'-]+){1,4}?)?\s*(?:is|was|=|:|to|are|now)+(?:\s+(?:now|set to|still))?"
_NAMED_ZH = re.compile(rf"{_WORD_ZH}{_LINK_ZH}\s*{_VALUE}", re.I)
_NAMED_EN = re.compile(rf"\b{_WORD_EN}\b{_LINK_EN}\s*{_VALUE}", re.I)
_BARE_EN = re.compile(
    r"\b(?:password|passcode|passwd|pwd|pin|cvv2?|cvc)\s+(?P<value>(?=\S*\d)[A-Za-z0-9!@#$%^&*_+=-]{3,128})", re.I
)
_LONG_TOKEN = r"(?=[A-Za-z0-9_-]*\d)(?=[A-Za-z0-9_-]*[a-z])(?=[A-Za-z0-9_-]*[A-Z])[A-Za-z0-9_-]{32,}"
_MANY_KINDS = re.compile(rf"(?<![\w/.-]){_LONG_TOKEN}(?![\w/.-])")
_ID_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ID_CHECK = "10X98765432"


def find_secret(text: str) -> str | None:
    """The kind of secret a text holds, or None: a password, a card or identity number, a key.

    The result names the kind and never repeats the secret, so that it can be logged.

    >>> find_secret("我的银行卡密码是 839201"), find_secret("card 4111 1111 1111 1111"), find_secret("我忘了密码")
    ('password', 'card number', None)
    """
    plain, _ = _plain(text)
    return next((kind for kind, found in _KINDS if next(found(plain), None)), None)


def mask_secrets(text: str) -> str:
    """A text with its secrets blacked out; one without secrets comes back as it is.

    >>> mask_secrets("我的银行卡密码是 839201，别告诉别人"), mask_secrets("我忘了密码")
    ('我的银行卡密码是 ████，别告诉别人', '我忘了密码')
    """
    plain, places = _plain(text)
    masked, done = "", 0
    for start, end in sorted((places[a], places[b]) for _, found in _KINDS for a, b in found(plain)):
        if start >= done:
            masked += text[done:start] + MASK
        done = max(done, end)
    return masked + text[done:]


def _plain(text: str) -> tuple[str, list[int]]:
    """The text with its full-width and other compatibility signs made plain, and where each sign of it began."""
    signs = [unicodedata.normalize("NFKC", sign) for sign in text]
    places = [at for at, sign in enumerate(signs) for _ in sign]
    return "".join(signs), [*places, len(text)]


def luhn(digits: str) -> bool:
    """Whether a row of digits passes the check that every payment card passes (ISO/IEC 7812-1, annex B).

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return total % 10 == 0


def chinese_id(number: str) -> bool:
    """Whether 18 characters carry the check character of a resident identity number (GB 11643-1999)."""
    total = sum(int(digit) * weight for digit, weight in zip(number[:17], _ID_WEIGHTS, strict=True))
    return _ID_CHECK[total % 11] == number[17].upper()


def _cards(text: str) -> Iterator[Span]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match.group())
        if 13 <= len(digits) <= 19 and len(set(digits)) > 1 and luhn(digits) and digits[0] in "34569":
            yield match.span()
    yield from (match.span("value") for match in _NAMED_CARD.finditer(text))


def _identities(text: str) -> Iterator[Span]:
    yield from (match.span() for match in _CHINESE_ID.finditer(text) if chinese_id(match.group()))
    yield from (match.span() for match in _SOCIAL_SECURITY.finditer(text))


def _keys(text: str) -> Iterator[Span]:
    for form in (_KEY_FORMS, _PRIVATE_KEY, _URL_LOGIN):
        yield from (match.span() for match in form.finditer(text))
    yield from (match.span() for match in _MANY_KINDS.finditer(text) if _entropy(match.group()) > 4.0)


def _passwords(text: str) -> Iterator[Span]:
    for form in (_NAMED_ZH, _NAMED_EN, _BARE_EN):
        for match in form.finditer(text):
            value = match["value"].rstrip(".?!,")
            if len(value) >= 3 and (re.search(r"[^A-Za-z]", value) or form is _NAMED_ZH or _mixed(value)):
                yield match.span("value")


def _mixed(value: str) -> bool:
    return value != value.lower() and value != value.capitalize() and not value.isupper()


def _entropy(text: str) -> float:
    """Shannon entropy in bits a character: random keys exceed 4, words and file names stay below."""
    return -sum(n / len(text) * math.log2(n / len(text)) for n in Counter(text).values())


_KINDS: tuple[tuple[str, Callable[[str], Iterator[Span]]], ...] = (
    ("key", _keys),
    ("card number", _cards),
    ("identity number", _identities),
    ("password", _passwords),
)
