"""The rows of recorded games in the database."""

from dataclasses import dataclass
from datetime import datetime

from gateway.store.records import Header, Record, encode, key_of


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; `header` is an encoded Header. A newer row of a game replaces an older one."""

    id: str
    seen_at: datetime
    ended_at: datetime | None
    header: bytes


@dataclass(frozen=True, slots=True)
class RecordRow:
    """An encoded record of a turn: the position if `snake_id` is empty, else the decision of that snake.

    A row that exists stays as it is.
    """

    game_id: str
    turn: int
    snake_id: str
    record: bytes


@dataclass(frozen=True, slots=True)
class Renamed:
    """A game gets another id, since it is played again under its own."""

    game_id: str
    new_id: str


Row = GameRow | RecordRow | Renamed


def game_row(header: Header) -> GameRow:
    """Return the row of a game."""
    return GameRow(header.id, header.seen_at, header.ended_at, encode(header))


def record_row(game: str, record: Record) -> RecordRow:
    """Return the row of a record."""
    return RecordRow(game, *key_of(record), encode(record))


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many games are kept, for how many days, and in how many bytes of records."""

    games: int
    days: float
    bytes: int


DEFAULT_BOUNDS = Bounds(games=1000, days=30, bytes=1_000_000_000)
