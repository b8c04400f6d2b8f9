"""The tables of outcomes and of recorded games, and alembic's migrations. A test checks that they agree.

Each gateway upgrades the schema when it opens its store.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Connection,
    DateTime,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    inspect,
    text,
    true,
)

if TYPE_CHECKING:
    from alembic.config import Config

METADATA = MetaData()

OUTCOMES = Table(
    "outcomes",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("snake_id", Text, primary_key=True),
    Column("snake", Text, nullable=False),
    Column("experiment", Text, nullable=False),
    Column("arm", Text, nullable=False),
    Column("strategy", Text, nullable=False),
    Column("drawn", Boolean, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("map", Text, nullable=False),
    Column("width", Integer, nullable=False),
    Column("height", Integer, nullable=False),
    Column("timeout_ms", Integer, nullable=False),
    Column("opponents", JSON, nullable=False),
    Column("result", Text),
    Column("place", Integer),
    Column("turns", Integer, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("timeouts", Integer),
    Column("mean_depth", Float),
    Column("seen_from", Integer),
    Column("shadows", JSON, nullable=False),
    Column("ended_at", DateTime(timezone=True), nullable=False),
    Column("control", Text),
    Column("shares", JSON(none_as_null=True)),
    Column("setup", Text),
    Column("searched", JSON(none_as_null=True)),
    Column("mean_latency_ms", Float),
    Column("part", Text, primary_key=True, server_default=""),
    Column("ended", Boolean, nullable=False, server_default=true()),
    Column("last_turn", Integer),
    Column("began_at", DateTime(timezone=True)),
    Index("outcomes_by_experiment", "experiment", "ended_at"),
)
"""One row for each view of a snake's game; gateway.game.values.Outcome describes the columns.

Gateways of an older version, without parts, add rows with the defaults of the database.
"""

GAMES = Table(
    "games",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("seen_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
    Column("bytes", BigInteger, nullable=False),
    Column("header", LargeBinary, nullable=False),
    Index("games_by_age", "seen_at"),
)
"""One row for each recorded game; gateway.store.records.Header, in MessagePack, is its header.

`bytes` is the size of the header and of the game's records.
"""

GAME_RECORDS = Table(
    "game_records",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("turn", Integer, primary_key=True),
    Column("snake_id", Text, primary_key=True),
    Column("record", LargeBinary, nullable=False),
)
"""The records of a turn: its position if `snake_id` is empty, else the decision of that snake.

gateway.store.records describes the records. They are in MessagePack, compressed by zlib.
"""


GAME_REVIEWS = Table(
    "game_reviews",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("snake_id", Text, primary_key=True),
    Column("turns", Integer, nullable=False),
    Column("review", LargeBinary, nullable=False),
)
"""The reviews of games for their snakes: JSON, compressed by zlib. `games.bytes` does not count them.

`turns` is the number of the game's turns that were known. A game with other turns needs a new review.
"""


_MIGRATIONS = Path(__file__).with_name("migrations")

_LOCK = 0x0BA771E5
"""The key of PostgreSQL's advisory lock on the schema: a number without another use."""


def upgrade(connection: Connection) -> None:
    """Upgrade the schema to the newest version, within the current transaction.

    A second gateway waits until the first has finished. On SQLite the transaction itself must be exclusive.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if _is_current(connection):
        return
    # Only a new or older database waits for this slow import.
    from alembic import command

    command.upgrade(config(connection), "head")


def _is_current(connection: Connection) -> bool:
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max(file.name for file in _MIGRATIONS.glob("versions/v*.py"))
    version = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return version is not None and newest.startswith(f"v{version}_")


def config(connection: Connection) -> "Config":
    """Return alembic's configuration."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(_MIGRATIONS))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings
