"""Options that several commands share."""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

import typer

T = TypeVar("T")

User = Annotated[str, typer.Option("--user", "-u", help="Whose memory; any text, such as an e-mail address.")]
Base = Annotated[str, typer.Option("--base", "-b", help="Which knowledge base.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Category = Annotated[str | None, typer.Option("--category", "-c", help="Category of the documents.")]
At = Annotated[str | None, typer.Option("--at", help="When it is said, ISO 8601; without a zone: the user's.")]


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a command's work on an event loop of its own.

    Raises:
        Interrupted: The user pressed Ctrl-C.
    """
    from zhiji.core.errors import Interrupted

    try:
        return asyncio.run(work)
    except KeyboardInterrupt:
        raise Interrupted("Stopped. What was finished before is kept.") from None
