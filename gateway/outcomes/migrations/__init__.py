"""The schema's versions, by alembic: run when a store is opened, by as many gateways at once as there are."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text

_LOCK = 0x0BA771E5
"""The key of PostgreSQL's advisory lock on the schema; any number that nothing else uses."""


def upgrade(connection: Connection) -> None:
    """Bring the schema to the newest version, within the transaction under way.

    Whoever comes second waits until the first has ended. On SQLite the transaction itself must be exclusive.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    command.upgrade(config(connection), "head")


def config(connection: Connection) -> Config:
    """What alembic has to know."""
    settings = Config()
    settings.set_main_option("script_location", str(Path(__file__).parent))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings
