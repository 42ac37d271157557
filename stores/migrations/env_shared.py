"""What both migration branches do: run on the connection that `zhiji.stores.sql` hands over."""

from alembic import context


def run() -> None:
    """Run the pending migrations in one transaction."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
