"""The schema's versions, one branch for user memory and one for knowledge; the two never share a database."""

from pathlib import Path
from typing import Literal

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

Branch = Literal["memory", "knowledge"]

_FOLDER = Path(__file__).parent


def upgrade(connection: Connection, branch: Branch, to: str = "head") -> None:
    """Bring an open connection's database to a migration of a branch, the newest by default."""
    command.upgrade(_config(connection, branch), to)


def downgrade(connection: Connection, branch: Branch, to: str = "base") -> None:
    """Take an open connection's database back to a migration of a branch, to nothing by default."""
    command.downgrade(_config(connection, branch), to)


def _config(connection: Connection, branch: Branch) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER / branch).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
