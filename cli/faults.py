"""What the command line says of a failure: one line for people, one JSON document for programs."""

import sqlite3
from dataclasses import dataclass
from typing import Any

import typer
from sqlalchemy.exc import OperationalError

from zhiji.core.errors import Interrupted, Misuse, ZhijiError

MOST = 300
"""Characters of a foreign library's words; a whole statement with its values is no line."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure that was foreseen: its kind, what happened and what to do, and the command's exit code."""

    type: str
    message: str
    exit_code: int = 1

    def as_json(self) -> dict[str, Any]:
        """The document that a failed command prints where `--json` was asked for."""
        return {"error": {"type": self.type, "message": self.message}}


def fault_of(failed: BaseException) -> Fault | None:
    """The fault that an exception stands for; None for one that nobody foresaw, which is an error of ours."""
    match failed:
        case ZhijiError():
            return Fault(type(failed).__name__, str(failed), failed.exit_code)
        case typer.TyperException():
            return Fault(Misuse.__name__, _usage(failed), failed.exit_code)
        case typer.Abort():
            return Fault(Interrupted.__name__, "Stopped. Nothing was changed.")
        case OperationalError() | sqlite3.OperationalError():
            return _store(failed)
        case OSError():
            where = f": {failed.filename}" if failed.filename else ""
            return Fault("SystemError", f"{failed.strerror or failed}{where}.")
        case _:
            return None


def _usage(failed: typer.TyperException) -> str:
    """What was wrong with the arguments, and which help tells more; nothing where the help itself was printed."""
    said = " ".join(failed.format_message().split()).rstrip(".")
    if not said:
        return ""
    context = getattr(failed, "ctx", None)
    return f"{said[:MOST]}. See `{context.command_path} --help`." if context else f"{said[:MOST]}."


def _store(failed: OperationalError | sqlite3.OperationalError) -> Fault | None:
    """A full disk, a file taken away: what no floor below could name."""
    cause = failed.orig if isinstance(failed, OperationalError) else failed
    if not isinstance(cause, sqlite3.OperationalError):
        return None
    message = f"A store cannot be read or written ({cause}). Check the free space and the rights of ZHIJI_HOME."
    return Fault("StoreFailed", message)
