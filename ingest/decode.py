"""Bytes to text, strictly: a file is read right or refused, never read as gibberish."""

import codecs
import re
from dataclasses import dataclass

from zhiji.core.text import clean
from zhiji.ingest.charsets import BIG5, CHARSETS, EUC_KR, GB18030, SHIFT_JIS, Guess, guess
from zhiji.ingest.report import ParseFailed

# Scores below which a decoding is taken for gibberish. Measured: of windows of 8 characters of Chinese text, 95 % score
# above 0.8 in their own encoding; a page of EUC-TW taken for GB 18030 scores 0.4. Shift-JIS admits fewer accidents.
_CREDIBLE = 0.65
_CREDIBLE_SHIFT_JIS = 0.5
_MAX_NUL = 0.001  # share of bytes; a text file may hold a stray NUL, a binary one is full of them
_MAX_CONTROL = 0.02
_MAX_DAMAGE = 0.001  # broken bytes a UTF-8 file may hold, as a share of its bytes

_PLAIN = re.compile(r"[\t\r\n -~\u00b7\u2010-\u2026\u3000-\u303f\u3040-\u30ff\uff00-\uffef]")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_BOMS = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"\x84\x31\x95\x33", "gb18030"),
)
_DECLARED = {"gb2312": GB18030, "gbk": GB18030, "gb18030": GB18030, "big5": BIG5, "big5-hkscs": BIG5, "x-big5": BIG5}


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file, cleaned, its line ends made alike; the encoding it was in; a remark if something was lost."""

    text: str
    encoding: str
    note: str = ""


def decode(data: bytes, declared: str = "") -> Decoded:
    """The text in `data`.

    In order: a byte order mark, UTF-8, UTF-16 without a mark, the encoding that the file declares, the most plausible
    of GB 18030, Big5, Shift-JIS, EUC-JP and EUC-KR, Windows-1252 for text that is nearly all ASCII, UTF-8 with a few
    broken bytes.

    Raises:
        ParseFailed: the bytes are no text, or no decoding of them is credible.
    """
    marked = _marked(data)
    found = marked or _utf8(data) or _utf16(data) or _legacy(data, declared) or _western(data) or _damaged_utf8(data)
    if found is None:
        raise ParseFailed("the text is in no encoding that can be told with certainty; save it as UTF-8")
    return Decoded(clean(found.text), found.encoding, found.note)


def _marked(data: bytes) -> Decoded | None:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            try:
                return Decoded(data[len(bom) :].decode(encoding), encoding)
            except UnicodeDecodeError as broken:
                raise ParseFailed(
                    f"marked as {encoding}, but byte {len(bom) + broken.start} does not fit; save it again as UTF-8"
                ) from broken
    return None


def _utf8(data: bytes) -> Decoded | None:
    nul = data.count(0)
    if nul > _MAX_NUL * len(data):
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    if len(_CONTROL.findall(data)) > max(3, _MAX_CONTROL * len(data)):
        raise ParseFailed("a binary file, not text")
    return Decoded(text, "utf-8", f"{nul} NUL bytes left out" if nul else "")


def _utf16(data: bytes) -> Decoded | None:
    """UTF-16 that lost its mark: ASCII shows as NULs in one half of the bytes, Chinese as few different high bytes."""
    nuls = data.count(0)
    best: Guess | None = None
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding) if len(data) % 2 == 0 else ""
        except UnicodeDecodeError:
            continue
        score = _readable_share(text)
        if text and score > 0.95 and (best is None or score > best.score):
            best = Guess(text, encoding, score)
    if best is not None:
        return Decoded(best.text, best.charset)
    if nuls > _MAX_NUL * len(data):
        raise ParseFailed("a binary file, not text")
    return None


def _readable_share(text: str) -> float:
    """Share of the characters that a Chinese, Japanese or English file is written with, rare ideographs left out."""
    common = 0
    for char in text:
        if _PLAIN.match(char):
            common += 1
        elif "\u4e00" <= char <= "\u9fff":
            common += _is_common_ideograph(char)
    return common / len(text) if text else 0.0


def _is_common_ideograph(char: str) -> bool:
    """Whether GB 2312 or the first level of Big5 has it: so has every fifth ideograph, and nearly all of any text."""
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        try:
            return char.encode("cp950")[0] <= 0xC6
        except UnicodeEncodeError:
            return False
    return True


def _legacy(data: bytes, declared: str) -> Decoded | None:
    named = _DECLARED.get(declared.strip().lower())
    guesses = [found for charset in CHARSETS if (found := guess(data, charset)) is not None]
    for found in guesses:
        if named is not None and found.charset == named.name and found.score >= _CREDIBLE_SHIFT_JIS:
            return Decoded(found.text, found.charset)
    credible = [found for found in guesses if found.score >= _least(found.charset)]
    if not credible:
        return None
    best = max(credible, key=lambda found: found.score)
    return Decoded(best.text, best.charset)


def _least(charset: str) -> float:
    floors: dict[str, float] = {SHIFT_JIS.name: _CREDIBLE_SHIFT_JIS, EUC_KR.name: 0.8}
    return floors.get(charset, _CREDIBLE)


def _western(data: bytes) -> Decoded | None:
    """Windows-1252, where nearly everything is ASCII and accents or curly quotes stand alone."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    outside = sum(map(len, runs))
    if not outside or outside > 0.2 * len(data) or any(len(run) > 2 for run in runs):
        return None
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    letters_and_quotes = sum(char.isalpha() or char in "‘’“”–—…€£°©®™•§½¼¾±×«»¿¡\xa0" for char in text if char > "\x7f")
    return Decoded(text, "windows-1252") if letters_and_quotes >= 0.9 * outside else None


def _damaged_utf8(data: bytes) -> Decoded | None:
    text = data.decode("utf-8", "ignore")
    lost = len(data) - len(text.encode("utf-8"))
    if not text or lost > max(8, _MAX_DAMAGE * len(data)) or sum(char > "\x7f" for char in text) < 10 * lost:
        return None
    return Decoded(text, "utf-8", f"{lost} broken bytes left out")
