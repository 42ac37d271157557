"""The profile schema: the fields of a user, how each is named, asked for, told and found."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr, model_validator

from zhiji.core.text import Language, fold

FieldType = Literal["text", "enum", "multi", "list"]
SLOT = "{value}"
_KEY = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")
_LIST = re.compile(r"[、，,;；/\n]")
_INDEXED_CHARACTERS = 200


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as wrong:
        raise ValueError(f"is no regular expression ({wrong})") from None
    return text


def _with_slot(text: str) -> str:
    if text.count(SLOT) != 1:
        raise ValueError(f"must hold {SLOT} once")
    return text


Text = Annotated[StrictStr, Field(min_length=1)]
Template = Annotated[Text, AfterValidator(_with_slot)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Wording(_Part):
    """A text in both languages; one may be left out, then the other stands for it."""

    zh: Text | None = None
    en: Text | None = None

    @model_validator(mode="after")
    def _not_empty(self) -> "Wording":
        if not (self.zh or self.en):
            raise ValueError("needs zh or en")
        return self

    def of(self, lang: Language) -> str:
        """The text in a language, else in the other one."""
        chosen, other = (self.zh, self.en) if lang == "zh" else (self.en, self.zh)
        return chosen or other or ""


class Choice(_Part):
    """One of a field's values: what is compared and indexed is `value`, whatever name was used."""

    value: Text
    zh: Text | None = None
    en: Text | None = None
    aliases: tuple[Text, ...] = ()

    def label(self, lang: Language) -> str:
        """How the choice is shown."""
        chosen, other = (self.zh, self.en) if lang == "zh" else (self.en, self.zh)
        return chosen or other or self.value

    @property
    def names(self) -> tuple[str, ...]:
        """Everything that it may be called."""
        spelled = (self.value, self.value.replace("_", " "), self.zh, self.en, *self.aliases)
        return tuple(dict.fromkeys(name for name in spelled if name))


class Sayings(_Part):
    """Sentences that change a field, with `{value}` in them: one more value, another one instead, one less."""

    add: tuple[Template, ...] = ()
    replace: tuple[Template, ...] = ()
    drop: tuple[Template, ...] = ()


class Attribute(_Part):
    """One field of a user.

    `core` fields say who the user is and enter every prompt; a `sensitive` one waits for the user's yes under the
    default policy; a `safety` one is always recalled; by an `indexed` one people can be found. Fields with a
    `question` are asked of a new user, in the order of the file. `open` says that other values than the choices are
    taken too, `shape` is a regular expression that a free value must fit, and `none` is what an answer of "none" means.
    """

    key: StrictStr
    zh: Text
    en: Text
    type: FieldType = "text"
    aliases: tuple[Text, ...] = ()
    question: Wording | None = None
    tells: Wording | None = None
    choices: tuple[Choice, ...] = ()
    open: bool = False
    shape: Annotated[StrictStr, AfterValidator(_regex)] | None = None
    says: Sayings = Sayings()
    core: bool = False
    sensitive: bool = False
    safety: bool = False
    indexed: bool = False

    @model_validator(mode="before")
    @classmethod
    def _indexed_unless_private(cls, given: object) -> object:
        """Whatever is neither sensitive nor about health is indexed, unless the file says otherwise."""
        if isinstance(given, Mapping) and "indexed" not in given:
            return {**given, "indexed": not (given.get("sensitive") or given.get("safety"))}
        return given

    @model_validator(mode="after")
    def _consistent(self) -> "Attribute":
        if not _KEY.fullmatch(self.key):
            raise ValueError("the key must be of lower-case letters, digits, _ and dots, such as job.title")
        if self.choosing and len(self.choices) < 2:
            raise ValueError(f"type {self.type} needs at least two choices")
        if not self.choosing and (self.choices or self.open):
            raise ValueError(f"type {self.type} has no choices; use enum or multi")
        if self.tells and any(text.count(SLOT) != 1 for text in (self.tells.zh, self.tells.en) if text):
            raise ValueError(f"tells: each text must hold {SLOT} once")
        self._distinct_choices()
        return self

    def _distinct_choices(self) -> None:
        values = [choice.value for choice in self.choices]
        if len(set(values)) < len(values):
            raise ValueError(f"choices: {next(v for v in values if values.count(v) > 1)} stands there twice")
        owners: dict[str, str] = {}
        for choice in self.choices:
            for name in choice.names:
                owner = owners.setdefault(fold(name), choice.value)
                if owner != choice.value:
                    raise ValueError(f"choices: '{name}' stands for both {owner} and {choice.value}")

    @property
    def choosing(self) -> bool:
        """Whether its values are chosen from a list."""
        return self.type in ("enum", "multi")

    @property
    def many(self) -> bool:
        """Whether it keeps every value; a single-valued one keeps the latest."""
        return self.type in ("multi", "list")

    def label(self, lang: Language) -> str:
        """Its name as people say it."""
        return self.zh if lang == "zh" else self.en

    @property
    def names(self) -> tuple[str, ...]:
        """What it may be called in a sentence or a command."""
        spelled = (self.zh, self.en, self.key, *self.aliases)
        return tuple(dict.fromkeys(part for name in spelled for part in (name, name.replace("_", " "))))

    @cached_property
    def _by_name(self) -> dict[str, Choice]:
        return {fold(name): choice for choice in self.choices for name in choice.names}

    def choice_of(self, text: str) -> Choice | None:
        """The choice that a word names, in either script and language."""
        return self._by_name.get(fold(text).strip())

    def accepts(self, text: str) -> bool:
        """Whether a word may be a value: a choice, or where others are taken one of the right shape."""
        if self.choice_of(text) is not None:
            return True
        if self.choosing and not self.open:
            return False
        return bool(text.strip()) and (self.shape is None or re.fullmatch(self.shape, fold(text).strip()) is not None)

    def compared(self, text: str) -> tuple[str, ...]:
        """The values of a text as they are compared and indexed; a list gives each of its members."""
        found = (self._plain(part) for part in (_LIST.split(text) if self.many else [text]))
        return tuple(dict.fromkeys(part for part in found if part))

    def _plain(self, text: str) -> str:
        choice = self.choice_of(text)
        return choice.value if choice else fold(text).strip()[:_INDEXED_CHARACTERS]

    def sentence(self, value: str, lang: Language) -> str:
        """A complete sentence about the user that holds the value."""
        told = self.tells.of(lang) if self.tells else ""
        if not told:
            told = f"用户的{self.zh}是{SLOT}" if lang == "zh" else f"The user's {self.en} is {SLOT}"
        return told.replace(SLOT, value)


class Schema(_Part):
    """All fields of a user, in the order in which they are asked and shown."""

    name: str
    fields: tuple[Attribute, ...]

    @model_validator(mode="after")
    def _one_owner_each(self) -> "Schema":
        owners: dict[str, str] = {}
        for field in self.fields:
            for name in (field.key, *field.aliases):
                owner = owners.setdefault(spelling(name), field.key)
                if owner != field.key:
                    raise ValueError(f"the name '{name}' belongs to both {owner} and {field.key}")
        return self

    @cached_property
    def by_key(self) -> Mapping[str, Attribute]:
        """The fields by key."""
        return {field.key: field for field in self.fields}

    @cached_property
    def _keys(self) -> dict[str, str]:
        names = {spelling(name): field.key for field in self.fields for name in (field.key, *field.aliases)}
        for field in self.fields:
            for label in (field.zh, field.en):
                names.setdefault(spelling(label), field.key)
        return names

    def canonical(self, key: str) -> str:
        """The schema's spelling of a key; a key it does not know keeps its own, folded."""
        spelled = spelling(key)
        return self._keys.get(spelled, spelled)

    def field(self, key: str) -> Attribute | None:
        """The field that a key or another name of it means, or None for a free key."""
        return self.by_key.get(self.canonical(key))

    def questions(self) -> Iterator[Attribute]:
        """The fields a new user is asked for, in order."""
        return (field for field in self.fields if field.question is not None)


@lru_cache(maxsize=4096)
def spelling(key: str) -> str:
    """A name as names are compared: folded, words joined by an underscore."""
    return re.sub(r"[\s_-]+", "_", fold(key).strip(" .")).strip("_")
