"""The tables of outcomes and of recorded games, and alembic's migrations. A test checks that they agree.

Each console upgrades the schema when it opens its store. Consoles of an older version go on with the upgraded
schema, because migrations only add tables, and columns that may be null or have a default. If older versions
can't use a revision, its id names the oldest revision whose code can, as in `0012_from_0012`, and so do the
ids after it.
"""

import re
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

from battlesnake_search.common.launch import pip_install

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
    Column("moves_searched", Integer),
    Column("moves_best_so_far", Integer),
    Column("moves_stand_in", Integer),
    Column("moves_failed", Integer),
    Column("died_late", Boolean),
    Index("outcomes_by_experiment", "experiment", "ended_at"),
)
"""One row for each view of a snake's game; battlesnake_search.record.outcome.Outcome describes the columns.

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
"""One row for each recorded game; console.store.records.Header, in MessagePack, is its header.

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

console.store.records describes the records. They are in MessagePack, compressed by zlib.
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

_REVISION = re.compile(r"(?P<number>\d{4})(?:_from_(?P<oldest>\d{4}))?")
"""The id of a revision: its number, and the number of the oldest revision whose code can use it."""

_LOCK = 0x0BA771E5
"""The key of PostgreSQL's advisory lock on the schema: a number without another use."""


class SchemaError(ValueError):
    """The schema of a database is not of this version, and this version can't use or upgrade it."""


def upgrade(connection: Connection) -> None:
    """Upgrade an older schema to the newest version, within the current transaction. Keep a newer one.

    A second gateway waits until the first has finished. On SQLite the transaction itself must be exclusive.
    Raises SchemaError for a newer schema that this version can't use, and for a schema of another program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    if is_usable(connection):
        return
    # Only a new or older database waits for this slow import.
    from alembic import command

    command.upgrade(config(connection), "head")


def is_usable(connection: Connection) -> bool:
    """Return whether the schema needs no upgrade. Raises SchemaError if this version can't use it."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    stored = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if stored is None:
        return False
    own = max(file.name for file in _MIGRATIONS.glob("versions/v*.py"))[1:5]
    found = _REVISION.fullmatch(stored)
    if found is None:
        raise SchemaError(
            f"its table alembic_version is of another program (revision {stored}): name a database without "
            "this table with --outcomes"
        )
    if found["oldest"] and found["oldest"] > own:
        raise SchemaError(
            f"a newer version has upgraded its schema to {stored}, and this version has {own}: run "
            f"{pip_install('outcomes').replace('install', 'install --upgrade', 1)}, or name another database "
            "with --outcomes"
        )
    return found["number"] >= own


def has_tables(connection: Connection) -> bool:
    """Return whether a console has made its tables."""
    return inspect(connection).has_table(OUTCOMES.name)


def config(connection: Connection) -> "Config":
    """Return alembic's configuration."""
    from alembic.config import Config

    settings = Config()
    settings.set_main_option("script_location", str(_MIGRATIONS))
    settings.set_main_option("path_separator", "os")
    settings.attributes["connection"] = connection
    return settings
