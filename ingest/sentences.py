"""Where a text may be cut: after sentences, else clauses, else between characters that do not belong together."""

import re
import unicodedata
from collections.abc import Callable

Span = tuple[int, int]
Fits = Callable[[str], bool]

_CLOSERS = "”’」』）》】〉〕\"')]"
_STOPS = "。！？；｡…!?"
CLAUSE_MARKS = "，、,：:；;—"
# What may not stand at the start of a piece: it belongs to the words before it.
NEVER_FIRST = frozenset("。！？；，、：…·—～｡”’」』）》】〉〕％℃°.,!?;:)]}%")

# Every place where a sentence may end; `_ends_sentence` decides about the full stops.
_CANDIDATE = re.compile(rf"(?:[。！？；｡…]+|[!?]+|\.+)[{re.escape(_CLOSERS)}]*|\n+")
_CLAUSE = re.compile(rf"[{re.escape(CLAUSE_MARKS)}]+[{re.escape(_CLOSERS)}]*(?=\s|[^\d\s])|[ \t]+|\n")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(（\"'“])(?:e\.g|i\.e|etc|vs|cf|approx|no|nos|vol|pp?|fig|figs|eq|sec|ch|ed|eds|al|mr|mrs|ms|dr|prof|sr|jr|st|inc|ltd|co|corp|"
    r"dept|est|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|u\.s|u\.k|a\.m|p\.m|ph\.d|[a-z])$",
    re.IGNORECASE,
)
_ENUMERATION = re.compile(r"(?:^|\n)\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]+)$")
_LOOKBACK = 40  # characters that decide whether a full stop ends a sentence
_LONGEST = 4096  # characters; no piece that fits is longer
_LIST_MARK = re.compile(
    r"\s*(?:[-*+•·]|\(?\d{1,3}[.)、）]|[（(][一二三四五六七八九十]+[)）]|[一二三四五六七八九十]+、)"
)
_LATIN = re.compile(r"[A-Za-z0-9_]")


def sentences(text: str) -> list[Span]:
    """The spans of the sentences of `text`, in order, with their final marks and closing quotes.

    A line end counts where the lines look written and not wrapped. Blanks between sentences belong to none.

    >>> [("他说：“走吧。”我们就走了。See e.g. v3.5 there. Next one"[a:b]) for a, b in sentences(
    ...     "他说：“走吧。”我们就走了。See e.g. v3.5 there. Next one")]
    ['他说：“走吧。”', '我们就走了。', 'See e.g. v3.5 there.', 'Next one']
    """
    wrapped = _is_wrapped(text)
    cuts = [match.end() for match in _CANDIDATE.finditer(text) if _ends_sentence(text, match, wrapped=wrapped)]
    return _spans(text, cuts)


def clauses(text: str) -> list[Span]:
    """The spans between commas, colons and blanks, each with the mark that ends it."""
    return _spans(text, [match.end() for match in _CLAUSE.finditer(text)])


def split_to_fit(text: str, fits: Fits) -> list[Span]:
    """Spans that cover every visible character of `text` once, each of them fitting, with few and natural cuts.

    A sentence that does not fit alone is cut at clauses, a clause at characters; a single character is never refused.
    """
    pieces: list[Span] = []
    for start, end in sentences(text):
        if fits(text[start:end]):
            pieces.append((start, end))
            continue
        inner = [(start + a, start + b) for a, b in clauses(text[start:end])]
        for span in _gather(text, inner, fits):
            pieces.extend([span] if fits(text[span[0] : span[1]]) else _by_characters(text, span, fits))
    return pieces


def _ends_sentence(text: str, match: re.Match[str], *, wrapped: bool) -> bool:
    mark, after = match[0], text[match.end() : match.end() + 1]
    before = text[max(0, match.start() - _LOOKBACK) : match.start()]
    if mark[0] == "\n":
        return (
            not wrapped
            or _LIST_MARK.match(text, match.end()) is not None
            or before.rstrip()[-1:] in (*_STOPS, ":", "：")
        )
    if after in NEVER_FIRST and after:
        return False
    if mark[0] in "。！？；｡…":
        return True
    if mark[0] == ".":
        return _full_stop_ends(before, after)
    return after == "" or after.isspace() or _is_cjk(after)


def _full_stop_ends(before: str, after: str) -> bool:
    if after and not after.isspace():
        return _is_cjk(after) and _is_cjk(before[-1:])
    return not (_ABBREVIATION.search(before) or _ENUMERATION.search(before))


def _is_cjk(char: str) -> bool:
    return bool(char) and "\u3400" <= char <= "\u9fff"


def _is_wrapped(text: str) -> bool:
    """Whether lines end at a fixed width: all but the last are about equally long, most end in mid-sentence."""
    lines = [line for line in text.split("\n") if line.strip()]
    if len(lines) < 2:
        return False
    full = lines[:-1]
    longest = max(map(len, lines))
    open_ended = sum(line.rstrip()[-1] not in _STOPS + _CLOSERS for line in full)
    return longest >= 20 and min(map(len, full)) >= 0.7 * longest and 2 * open_ended >= len(full)


def _spans(text: str, cuts: list[int]) -> list[Span]:
    spans = []
    start = 0
    for cut in [*cuts, len(text)]:
        piece = text[start:cut]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.append((left, right))
        start = cut
    return _without_bad_starts(text, spans)


def _without_bad_starts(text: str, spans: list[Span]) -> list[Span]:
    """Joins a piece that begins with a closing mark to the one before it."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and text[start] in NEVER_FIRST:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _gather(text: str, spans: list[Span], fits: Fits) -> list[Span]:
    """Joins neighbours as long as the whole fits."""
    gathered: list[Span] = []
    for start, end in spans:
        if gathered and fits(text[gathered[-1][0] : end]):
            gathered[-1] = (gathered[-1][0], end)
        else:
            gathered.append((start, end))
    return gathered


def _by_characters(text: str, span: Span, fits: Fits) -> list[Span]:
    pieces = []
    start, end = span
    while start < end:
        low, high = start + 1, min(end, start + _LONGEST)
        while low < high:  # the longest prefix that fits; longer text never takes less room
            middle = (low + high + 1) // 2
            low, high = (middle, high) if fits(text[start:middle]) else (low, middle - 1)
        cut = _natural_cut(text, start, low) if low < end else end
        pieces.append((start, cut))
        start = cut
    return pieces


def _natural_cut(text: str, start: int, cut: int) -> int:
    """Moves a cut back so that no word, number, mark or composed character is torn, but not past half of the piece."""
    for place in range(cut, (start + cut) // 2, -1):
        before, after = text[place - 1], text[place]
        torn = (_LATIN.match(before) and _LATIN.match(after)) or unicodedata.combining(after) or after in "\u200d\ufe0f"
        if not torn and before != "\u200d" and after not in NEVER_FIRST:
            return place
    return cut
