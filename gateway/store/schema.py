"""The tables of outcomes and of recorded games. The migrations create them; a test compares the two."""

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    true,
)

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
    Index("outcomes_by_experiment", "experiment", "ended_at"),
)
"""One row for each view of a snake's game; gateway.game.values.Outcome describes the columns.

Gateways of an older version, which know nothing of parts, add rows with the defaults of the database.
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

`bytes` is the size of the header and of its records.
"""

GAME_RECORDS = Table(
    "game_records",
    METADATA,
    Column("game_id", Text, primary_key=True),
    Column("turn", Integer, primary_key=True),
    Column("snake_id", Text, primary_key=True),
    Column("record", LargeBinary, nullable=False),
)
"""What is kept of a turn: its position if `snake_id` is empty, else the decision of that snake.

gateway.store.records describes the records, which are in MessagePack and compressed by zlib.
"""
