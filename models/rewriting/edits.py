"""Putting a piece of the conversation into a query: the text it gives, and how well the two fit."""

from zhiji.core.text import has_cjk
from zhiji.models.rewriting.sites import Site
from zhiji.models.rewriting.spans import Span

_POSSESSIVE = frozenset("its his their her".split())


def pair_features(site: Site, span: Span) -> tuple[str, ...]:
    """How well a piece fits a place: what kind of thing the pronoun wants, and whether the neighbours agree."""
    return (
        f"{site.kin}>first={span.first}",
        f"{site.kin}>last={span.last}",
        f"{site.kin}>{span.first}{span.last}:{site.left_kind}_{site.right_kind}",
        f"{site.kin}>{site.left_kind}{span.first}",
        f"{site.kin}>{span.last}{site.right_kind}",
        f"same_left={_same(site.left, span.before)}",
        f"same_right={_same(site.right, span.after)}",
        f"{site.kin}:same={_same(site.left, span.before)}{_same(site.right, span.after)}",
        f"wraps={span.before == site.right or span.after == site.left}",
        f"repeats={_repeats(site, span)}",
    )


def _same(one: str, other: str) -> str:
    return "edge" if one == other and one in "^$" else str(one == other)


def _repeats(site: Site, span: Span) -> bool:
    """Whether the piece begins or ends with the very word it would stand next to ("喜欢喜欢林俊杰")."""
    return span.text.startswith(site.right) or span.text.endswith(site.left)


def apply(query: str, site: Site, span: Span) -> str:
    """The query with the piece in place.

    English takes blanks, an article before a bare noun, a capital at the start and 's for a possessive.
    """
    before, after, text = query[: site.start], query[site.end :], span.text
    if has_cjk(query):
        return before + text + after
    return _english(before, text, after, query[site.start : site.end])


def _english(before: str, text: str, after: str, pronoun: str) -> str:
    first, _, rest = text.partition(" ")
    if first.lower() in {"a", "an", "any", "some"} and rest:
        text = f"the {rest}"
    elif span_is_bare(text):
        text = f"the {text}"
    if pronoun.lower() in _POSSESSIVE and not (pronoun.lower() == "her" and not after.strip(" ?.!")):
        text += "'s"
    if pronoun.lower() in {"there", "here"}:
        text = f"in {text}"
    if not before.strip():
        text = text[0].upper() + text[1:]
    joined = f"{before.rstrip()} {text}" if before.strip() else text
    return joined + (after if not after or not after[0].isalnum() else f" {after}")


def span_is_bare(text: str) -> bool:
    """Whether an English noun phrase comes without article, owner or capital."""
    first = text.split(" ")[0]
    return first.islower() and first not in {"the", "my", "your", "our", "this", "that", "their", "his", "her", "its"}
