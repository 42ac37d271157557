"""`zhiji inspect`: a question's way through the search, stage by stage."""

from typing import Annotated, Any

import typer

from zhiji.cli.options import Base, Category, Json, run
from zhiji.cli.output import console, emit, rows


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("inspect")(inspect)


def inspect(
    question: str,
    expect: Annotated[str | None, typer.Option("--expect", "-e", help="Text that should be found.")] = None,
    base: Base = "default",
    category: Category = None,
    against: Annotated[int | None, typer.Option("--against", help="Another release to compare with.")] = None,
    json: Json = False,
) -> None:
    """Search as a turn does, and name the stage that lost the expected text."""
    from zhiji.graph.inspect import inspect as look

    document = run(look(question, expect=expect, base=base, category=category, against=against))
    if json:
        emit(document)
        return
    for stage in document["stages"]:
        _show(stage["name"], stage["items"])
    _say("expected text", document["expect"])
    if other := document.get("against"):
        _show(f"only in release {document['release']}", other["only_here"])
        _show(f"only in release {other['release']}", other["only_there"])
        _say(f"expected text in release {other['release']}", other["expect"])


def _show(title: str, items: list[dict[str, Any]]) -> None:
    rows(
        title,
        ["rank", "score", "source", "text"],
        [[n, f"{i['score']:.3f}", i["source"], i["text"][:60].replace("\n", " ")] for n, i in enumerate(items, 1)],
    )


def _say(what: str, found: dict[str, Any] | None) -> None:
    if found:
        state = "found" if found["found"] else f"lost at {found['lost_at']}"
        console().print(f"{what}: {state}. {found['hint']}", markup=False)
