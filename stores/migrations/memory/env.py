"""Alembic's entry point for this branch."""

from zhiji.stores.migrations.env_shared import run

run()
