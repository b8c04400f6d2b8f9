"""The content of a recorded game: a header, and for each turn its position and the decisions of our snakes.

Records name snakes by their ids, so the records of several gateways fit together. The database keeps them in
rows.
"""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from battlesnake_search.board import Settings
from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.outcome import Outcome
from console.store.values import Cell, GameSnake

log = get_logger(__name__)

RECORDED = "recorded"
"""The source of a game played by this gateway, or by another gateway with the same database."""

IMPORTED = "imported"
"""The source of a game from a file of the official engine or from another server."""

RUNNING = "running"
"""The source of a game that was still running when it was read from another server."""


class Fallen(msgspec.Struct, frozen=True, array_like=True):
    """A death by a report: the id of the snake, the cause or "", and the id of the snake to blame.

    `late`: the engine chose the snake's last move, because our answer came too late. `turn`: the turn of the
    death if it is known, although its board was not seen.
    """

    snake: str
    cause: str
    by: str | None = None
    late: bool = False
    turn: int | None = None


class Header(msgspec.Struct, kw_only=True):
    """A game without its turns.

    `seen_at` is the time of the game's first request, and orders all games. `ended_at` is set at its end.
    `winner` is the id of the last living snake. `deaths` are the deaths whose cause is known, by a
    server's report or by the boards, and those by late answers. `broken_off_at` is set when the game was
    played again under its ids, of which this course has lost its own.
    """

    id: str
    source: str
    ruleset: str
    version: str
    settings: Settings
    map: str
    width: int
    height: int
    timeout_ms: int
    seen_at: datetime
    snakes: list[GameSnake]
    turns: int = 0
    ended_at: datetime | None = None
    winner: str | None = None
    deaths: list[Fallen] = []
    broken_off_at: datetime | None = None


class LivingSnake(msgspec.Struct, frozen=True, array_like=True):
    """A living snake. `latency` is the latency of its last answer, in milliseconds; 0 if unknown."""

    body: list[Cell]
    health: int
    latency: float = 0.0


class Position(msgspec.Struct, frozen=True, tag="position"):
    """The board of a turn; `snakes` are the living snakes by id."""

    turn: int
    food: list[Cell]
    hazards: list[Cell]
    snakes: dict[str, LivingSnake]


class RootMove(msgspec.Struct, frozen=True, array_like=True):
    """A move that a search compared; `kind` and `turns` are its proven end, if any."""

    move: str
    score: float
    depth: int
    kind: str = ""
    turns: int = 0


class Decided(msgspec.Struct, frozen=True, tag="decided"):
    """The move of our snake. Times are in milliseconds. Fields from `depth` on are the findings of a search.

    `pv` has a text for each snake id, with a letter for each turn: u, d, l or r, or "." if the snake stands
    still.
    """

    turn: int
    snake: str
    move: str
    source: str
    strategy: str
    time: float
    budget: float
    left: float
    depth: int | None = None
    nodes: int | None = None
    evaluations: int | None = None
    score: float | None = None
    stop: str | None = None
    moves: list[RootMove] = []
    pv: dict[str, str] = {}


Record = Position | Decided

Key = tuple[int, str]
"""The turn of a record, and the snake's id if it is a decision. A position sorts before its decisions."""


def key_of(record: Record) -> Key:
    """Return the key of a record in its game. The keys order the records."""
    return record.turn, record.snake if isinstance(record, Decided) else ""


_encoder = msgspec.msgpack.Encoder()
_record_decoder = msgspec.msgpack.Decoder(Position | Decided)
_header_decoder = msgspec.msgpack.Decoder(Header)

encode = _encoder.encode
"""Encode a header or a record."""


def pack(record: bytes) -> bytes:
    """Compress an encoded record by itself."""
    return zlib.compress(record)


def unpack(packed: bytes) -> Record:
    """Decode a packed record. Raises zlib.error or msgspec.DecodeError for invalid data."""
    record: Record = _record_decoder.decode(zlib.decompress(packed))
    return record


def unpack_all(packed: Iterable[bytes]) -> Iterator[Record]:
    """Decode packed records. Leave out those that are damaged or of a newer version."""
    return readable("game_records", packed, unpack)


def decode_header(data: bytes) -> Header:
    """Decode a header. Raises msgspec.DecodeError for invalid data."""
    return _header_decoder.decode(data)


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game; `header` is an encoded Header. A newer row of a game replaces an older one."""

    game_id: str
    seen_at: datetime
    ended_at: datetime | None
    header: bytes


@dataclass(frozen=True, slots=True)
class RecordRow:
    """An encoded record of a turn: the position if `snake_id` is empty, else the decision of that snake.

    An existing row stays as it is.
    """

    game_id: str
    turn: int
    snake_id: str
    record: bytes


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """The review of a game for a snake, as JSON. A newer review replaces an older one.

    `turns` is the number of the game's turns that were known.
    """

    game_id: str
    snake_id: str
    turns: int
    review: bytes


@dataclass(frozen=True, slots=True)
class Renamed:
    """A game begins again under the same id. The records of its former course get a new id.

    Rows and outcomes that came before this item get the new id. Later rows and outcomes belong to the next
    course, and keep the old id. If several gateways of one database rename a course, they derive the same new
    id, so it is renamed once.
    """

    game_id: str
    new_id: str

    def applied_to(self, item: "Item") -> "Item":
        """Return a row or an outcome. If it belongs to the game, it gets the new id."""
        if item.game_id != self.game_id or isinstance(item, Renamed | Removed):
            return item
        if isinstance(item, Outcome):
            return msgspec.structs.replace(item, game_id=self.new_id, ended=False)
        return replace(item, game_id=self.new_id)


@dataclass(frozen=True, slots=True)
class Removed:
    """A game was only a check of the snake. It is removed, unless it has a later turn than the first.

    It is added once all earlier rows of the game are stored. Rows of its batch belong to a later game.
    """

    game_id: str


Item = Outcome | GameRow | RecordRow | ReviewRow | Renamed | Removed
"""The rows and outcomes to store, and the changes of stored ones."""


def size_of(item: Item) -> int:
    """Return the bytes of an item's texts, before they are compressed."""
    match item:
        case RecordRow():
            return len(item.record)
        case GameRow():
            return len(item.header)
        case ReviewRow():
            return len(item.review)
        case Outcome():
            return len(msgspec.json.encode(item))
    return 0


def game_row(header: Header) -> GameRow:
    """Return the row of a game."""
    return GameRow(header.id, header.seen_at, header.ended_at, encode(header))


def record_row(game: str, record: Record) -> RecordRow:
    """Return the row of a record."""
    return RecordRow(game, *key_of(record), encode(record))


@dataclass(frozen=True, slots=True)
class Bounds:
    """The largest number of kept games, and of the bytes of their headers, records and reviews."""

    games: int
    bytes: int


DEFAULT_BOUNDS = Bounds(games=1000, bytes=1_000_000_000)

DEFAULT_OUTCOMES_BYTES = 1_000_000_000
"""The largest size of all outcomes. It has room for the outcomes of some million games."""


_ERRORS = (msgspec.MsgspecError, zlib.error, ValueError, TypeError, RecursionError)

_TIMES = ("ended_at", "began_at")
_TRUTHS = ("drawn", "ended", "died_late")
_JSON = ("opponents", "shadows", "shares", "searched")

_Row = TypeVar("_Row")
_Read = TypeVar("_Read")

_told: set[str] = set()


def readable(table: str, rows: Iterable[_Row], read: Callable[[_Row], _Read]) -> Iterator[_Read]:
    """Yield the content of the rows that can be read. The first other row of a table is logged."""
    for row in rows:
        try:
            content = read(row)
        except _ERRORS as error:
            if table not in _told:
                _told.add(table)
                log.warning("rows that can't be read are left out", table=table, reason=str(error))
        else:
            yield content


def outcome_of(row: Mapping[Any, Any]) -> Outcome:
    """Return the outcome of a row. Raises ValueError or msgspec.MsgspecError for damaged values."""
    values = {name: _value(name, row[name]) for name in Outcome.__struct_fields__}
    return msgspec.convert(values, Outcome)


def utc(time: datetime | str) -> datetime:
    """Return a time. SQLite has it as text in UTC, without its zone."""
    return datetime.fromisoformat(time).replace(tzinfo=UTC) if isinstance(time, str) else time


def _value(name: str, value: Any) -> Any:
    """Return a value of a column. Files have text for JSON and times, and numbers for booleans."""
    if name in _JSON and isinstance(value, str):
        return msgspec.json.decode(value)
    if name in _TIMES and value is not None:
        return utc(value)
    return bool(value) if name in _TRUTHS and value is not None else value
