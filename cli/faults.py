"""What the command line says of a failure that no floor below could name: a full disk, a file taken away."""

import sqlite3

from sqlalchemy.exc import OperationalError


def explained(failed: BaseException) -> str | None:
    """One line on a failed write or read of the stores; None for anything else, which is a fault of ours."""
    if isinstance(failed, OperationalError):
        failed = failed.orig or failed
    if isinstance(failed, sqlite3.OperationalError):
        return f"A store cannot be read or written ({failed}). Check the free space and the rights of ZHIJI_HOME."
    return None
