"""Front matter: the `key: value` lines that many tools put before a Markdown text."""

import re

_FRONT = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?)\n(?:\1|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_ENTRY = re.compile(r"^([\w-]+)[ \t]*[:=][ \t]*(.*)$")
_MAX_LINES = 100


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    r"""The entries, keys in lower case, and the text below; no entries where a rule opens the text.

    >>> split_front_matter("---\ntitle: '年假'\n---\n# 一")
    ({'title': '年假'}, '# 一')
    """
    found = _FRONT.match(text)
    if found is None:
        return {}, text
    lines = [line for line in found[2].split("\n") if line.strip()]
    entries = [entry for line in lines if (entry := _ENTRY.match(line))]
    if not entries or not _ENTRY.match(lines[0].strip()) or len(lines) > _MAX_LINES:
        return {}, text
    return {entry[1].lower(): entry[2].strip().strip("'\"") for entry in entries}, text[found.end() :]
