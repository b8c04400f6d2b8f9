"""The migrations of the schema, by alembic. Each gateway runs them when it opens its store."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

_LOCK = 0x0BA771E5
"""The key of PostgreSQL's advisory lock on the schema: a number that nothing else uses."""


def upgrade(connection: Connection) -> None:
    """Upgrade the schema to the newest version, within the current transaction.

    A second gateway waits until the first has finished. On SQLite the transaction itself must be exclusive.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    command.upgrade(config(connection), "head")


def config(connection: Connection) -> Config:
    """Return alembic's configuration."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings
