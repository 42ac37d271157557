"""What a run is told besides its messages; Studio draws it as a form."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from zhiji.core.settings import ConfirmPolicy, RankingPreset


class Context(BaseModel):
    """Who is speaking, and how this run recalls and remembers."""

    model_config = ConfigDict(frozen=True)

    user_id: Annotated[str, Field(title="User", description="Whose memory is read and written.")] = "default"
    base: Annotated[str, Field(title="Knowledge base", description="Which documents are searched.")] = "default"
    category: Annotated[
        str | None, Field(title="Category", description="Search only documents of this category, such as support.")
    ] = None
    scene: Annotated[
        str | None, Field(title="Scene", description="What is being done, such as report: its own preferences apply.")
    ] = None
    weights: Annotated[
        RankingPreset | None,
        Field(title="Recall weights", description="support: similarity first. assistant: freshness counts more."),
    ] = None
    confirm: Annotated[
        ConfirmPolicy | None, Field(title="Confirm", description="Which memories wait for the user's yes.")
    ] = None
    at: Annotated[datetime | None, Field(title="Time", description="When the message is said. Empty: now.")] = None
    message_id: Annotated[
        str | None, Field(title="Message", description="Id of the message to answer. Empty: the user's last.")
    ] = None
