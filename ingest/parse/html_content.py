"""Finding the content of an HTML page among menus, banners and footers."""

import re

from bs4 import BeautifulSoup, Tag

_NEVER_READ = tuple("script style noscript template svg iframe object canvas head select button input textarea".split())
_CHROME = ("nav", "footer", "aside", "dialog")
_CHROME_ROLES = ("navigation", "banner", "contentinfo", "search", "complementary", "menu", "menubar", "dialog")
_CHROME_CLASS = re.compile(
    r"(?:^|[\s_-])(?:foot(?:er)?|nav(?:bar|igation)?|bread-?crumbs?|crumbs?|menu|side-?bar|copyright)(?=$|[\s_-])",
    re.IGNORECASE,
)
_BOILERPLATE = re.compile(
    r"(?:首页|主页|当前位置|您的位置|home)\s*[/>»›:：]|(?:返?回到?)顶部$|back to top$|"
    r"©|copyright\b|版权所有|.{0,99}ICP备\d{6}",
    re.IGNORECASE | re.DOTALL,
)
_MAX_BOILERPLATE = 120  # characters
_LIST_LIKE = ("ul", "ol", "dl", "menu", "div", "p", "td", "table")
_FEW = 40  # characters; a page cut down to less has probably lost its content
_MIN_SHARE = 0.1
_LINK_SHARE = 0.8  # share of the characters in links, from which a list is taken for a menu
_MAX_LINK = 16  # characters of a menu entry on average; headlines and questions are longer


def content_of(soup: BeautifulSoup) -> Tag:
    """The part of the page to read: the one main part if there is one, without navigation.

    Where little would be left, less is taken away, so that a page which is all links keeps them.
    """
    for tag in soup.find_all(_NEVER_READ):
        tag.decompose()
    body: Tag = soup.body or soup
    everything = _visible(body)
    for candidate in _candidates(body):
        if not _enough(_visible(candidate), everything):
            continue
        removed = _without_chrome(candidate)
        if _enough(_visible(removed), everything):
            return removed
    return body


def _candidates(body: Tag) -> list[Tag]:
    """The single main part, the single article, and the whole page."""
    mains = body.find_all("main") or body.find_all(role="main")
    articles = body.find_all("article")
    return [*(mains if len(mains) == 1 else []), *(articles if len(articles) == 1 else []), body]


def _enough(characters: int, everything: int) -> bool:
    return characters >= min(_FEW, everything / 2) and characters >= _MIN_SHARE * everything


def _visible(tag: Tag) -> int:
    """Characters that are not blank: words are no measure, Chinese has no spaces between them."""
    return sum(not char.isspace() for char in tag.get_text())


def _without_chrome(content: Tag) -> Tag:
    """A copy of the content without what surrounds it on every page of a site."""
    trimmed = content.__copy__()
    for tag in trimmed.find_all(_is_chrome):
        if not tag.decomposed:
            tag.decompose()
    if content.name not in ("main", "article"):
        half = _visible(trimmed) / 2
        for tag in trimmed.find_all(lambda found: _is_menu(found) or _is_named_chrome(found) or _is_boilerplate(found)):
            if not tag.decomposed and _visible(tag) < half:
                tag.decompose()
    return trimmed


def _is_chrome(tag: Tag) -> bool:
    if tag.name in _CHROME or tag.get("role") in _CHROME_ROLES or _is_hidden(tag):
        return True
    return tag.name == "header" and tag.find("h1") is None and tag.find_parent(["article", "section", "main"]) is None


def _is_named_chrome(tag: Tag) -> bool:
    """Whether a class or id says that the box is a footer, a menu or the like, and no heading of the page is in it."""
    names = " ".join([*(tag.get("class") or []), str(tag.get("id") or "")])
    return _CHROME_CLASS.search(names) is not None and tag.find(["h1", "h2", "main", "article"]) is None


def _is_boilerplate(tag: Tag) -> bool:
    """Whether the box is one of the lines that stand on every page: the way back, the rights, the top."""
    if tag.name not in ("p", "div", "span", "li", "td", "a"):
        return False
    text = tag.get_text().strip()
    return 0 < len(text) <= _MAX_BOILERPLATE and _BOILERPLATE.match(text) is not None


def _is_hidden(tag: Tag) -> bool:
    style = str(tag.get("style", "")).replace(" ", "").lower()
    return tag.has_attr("hidden") or tag.get("aria-hidden") == "true" or "display:none" in style


def _is_menu(tag: Tag) -> bool:
    """Whether a list or box is hardly more than three or more short links."""
    if tag.name not in _LIST_LIKE or tag.find(["h1", "h2", "h3", "pre"]) is not None:
        return False
    links = tag.find_all("a", href=True)
    if len(links) < 3:
        return False
    linked = sum(_visible(link) for link in links)
    return linked <= _MAX_LINK * len(links) and linked >= _LINK_SHARE * _visible(tag)
