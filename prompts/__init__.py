"""Prompt texts, zh and en, each with its version; read once, at import."""

from dataclasses import dataclass
from importlib.resources import files
from string import Template
from typing import Literal

PromptLanguage = Literal["zh", "en"]
LANGUAGES: tuple[PromptLanguage, ...] = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt text and the version it states in its first line."""

    text: str
    version: str

    def fill(self, **values: str) -> str:
        """The text with each `$name` replaced; what is put in is never read as a template again.

        Raises:
            KeyError: The text names a value that is not given.
        """
        return Template(self.text).substitute(values)


def _read(source: str) -> Prompt:
    head, _, text = source.partition("\n")
    label, _, version = head.partition(":")
    if label.strip() != "version" or not version.strip():
        raise ValueError(f"A prompt must start with `version: N`, not with {head!r}.")
    return Prompt(text.strip(), version.strip())


def _load() -> dict[tuple[str, PromptLanguage], Prompt]:
    return {
        (entry.name.removesuffix(".md"), lang): _read(entry.read_text(encoding="utf-8"))
        for lang in LANGUAGES
        for entry in (files(__name__) / lang).iterdir()
        if entry.name.endswith(".md")
    }


_PROMPTS = _load()


def prompt(name: str, lang: PromptLanguage) -> Prompt:
    """The prompt of that name in that language.

    >>> prompt("system", "en").version
    '1'

    Raises:
        KeyError: There is no such prompt.
    """
    return _PROMPTS[name, lang]


def names(lang: PromptLanguage) -> set[str]:
    """The prompts there are in a language."""
    return {name for name, of in _PROMPTS if of == lang}
