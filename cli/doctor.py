"""`zhiji doctor`: what is configured, reachable, installed, calibrated and queued."""

import typer

from zhiji.cli.options import Json, run
from zhiji.cli.output import console, emit

MARKS = {True: "ok ", False: "!! ", None: "-- "}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(json: Json = False) -> None:
    """Look at everything a turn needs; exit 1 if something is broken."""
    from zhiji.graph.diagnose import diagnose

    findings = run(diagnose())
    if json:
        emit([{"part": one.part, "ok": one.ok, "says": one.says} for one in findings])
    else:
        for one in findings:
            console().print(f"{MARKS[one.ok]}{one.part:14} {one.says}", markup=False)
    if any(one.ok is False for one in findings):
        raise typer.Exit(1)
