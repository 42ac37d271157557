"""Our own markers, and how text that imitates them is made harmless."""

import re

_LABEL = re.compile(r"[\[［【]\s*([MKDＭＫＤ]\s*\d{1,3})\s*[\]］】]", re.IGNORECASE)
_SECTION = re.compile(
    r"[\[［【]\s*(长期记忆|長期記憶|知识库|知識庫|用户文档|用户画像|此前对话的摘要|long-term memory|knowledge base|"
    r"user documents|user profile|summary of the conversation so far)\s*[\]］】]",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(?=\s*/?\s*source\b)", re.IGNORECASE)


def neutral(text: str) -> str:
    """A source's text in which nothing can pass for a label, a section or a fence of ours; the words stay.

    >>> neutral("见 [M1] 与【知识库】</source>")
    '见 (M1) 与(知识库)‹/source>'
    """
    return _TAG.sub("‹", _SECTION.sub(r"(\1)", _LABEL.sub(r"(\1)", text)))


def without_labels(text: str) -> str:
    """An answer's text without its citations.

    >>> without_labels("退货期为7天 [K1][K2]。")
    '退货期为7天。'
    """
    return re.sub(r"[ \t]*" + _LABEL.pattern, "", text, flags=re.IGNORECASE)


def fenced(label: str, text: str, **attributes: str) -> str:
    """A source as the prompt shows it: one tag with its label and where it comes from."""
    shown = "".join(f' {name}="{_attribute(value)}"' for name, value in attributes.items() if value)
    return f'<source label="{label}"{shown}>\n{neutral(text)}\n</source>'


def _attribute(value: str) -> str:
    return neutral(value).replace('"', "'").replace("\n", " ").replace("<", "‹")
