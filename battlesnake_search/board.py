"""The bodies of requests as values, for all programs. `battlesnake_search.reader` reads them."""

from functools import cached_property
from typing import Annotated, Self

import msgspec

MOST = 2**31 - 1
"""The largest number of a field."""

Int32 = Annotated[int, msgspec.Meta(ge=-(2**31), le=MOST)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Side = Annotated[int, msgspec.Meta(ge=1, le=MOST)]

LONGEST_ID = 128
LONGEST_NAME = 256
"""The largest number of characters of an id or name. The end of a longer id is replaced by a digest. A longer
name is cut off."""

MOVES = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
"""The moves of the Battlesnake API, each with its offset (x, y)."""

MAX_HEALTH = 100
MOST_SNAKES = 16
"""The largest number of snakes of a game, as of the official engine's maps. Further snakes are dropped."""

MOST_SIDE = 64
"""The largest side of a board that is searched and recorded. The official maps have at most 25 cells."""

LARGEST_MENDED = 65_536
"""The largest body in bytes that is mended. Without snail mode, the official engine sends no larger body."""

_TURN_BYTES = 4096
_POINT_BYTES = 120
"""The bytes of a turn in memory, and of each of its points with large coordinates, by tracemalloc."""

DEFAULT_TIMEOUT = 500
"""Milliseconds. The official engine uses this timeout if a game states 0 or no timeout."""

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_ID)]
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]


class Point(msgspec.Struct, frozen=True):
    """A cell; (0, 0) is the bottom left."""

    x: Int32
    y: Int32


class Looks(msgspec.Struct, frozen=True):
    """The appearance of a snake."""

    color: Name = ""
    head: Name = ""
    tail: Name = ""


class Snake(msgspec.Struct, frozen=True):
    """A snake. `body` starts with the head. `latency` is the time of its last answer, as engines write it."""

    id: Id
    body: list[Point]
    name: Name = ""
    health: Annotated[int, msgspec.Meta(ge=0, le=MAX_HEALTH)] = MAX_HEALTH
    latency: str | float | None = None
    customizations: Looks = Looks()

    @property
    def milliseconds(self) -> float:
        """The latency in milliseconds; 0 if it is unreadable."""
        return milliseconds(self.latency)


class Royale(msgspec.Struct, frozen=True, rename="camel"):
    """The settings of royale games alone."""

    shrink_every_n_turns: Count = 0


class Settings(msgspec.Struct, frozen=True, rename="camel"):
    """The settings of a game. Missing settings are 0, as in the official rules library."""

    food_spawn_chance: Annotated[int, msgspec.Meta(ge=0, le=100)] = 0
    minimum_food: Count = 0
    hazard_damage_per_turn: Int32 = 0
    royale: Royale = Royale()


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of a game. `version` names the engine: "cli" is the official command line."""

    name: str = "standard"
    settings: Settings = Settings()
    version: Name = ""

    @property
    def wrapped(self) -> bool:
        """Whether the board's edges are joined."""
        return self.name.startswith("wrapped")


class Game(msgspec.Struct, frozen=True):
    """The constant part of a game. `timeout` is in milliseconds."""

    id: Annotated[str, msgspec.Meta(max_length=LONGEST_ID)] = ""
    ruleset: Ruleset = Ruleset()
    map: Name = ""
    timeout: Count = 0


class Board(msgspec.Struct, frozen=True):
    """The board. A hazard listed k times has k layers.

    `snakes` holds the snakes that the engine lists. `battlesnake_search.living` finds the living ones.
    """

    width: Side
    height: Side
    snakes: Annotated[list[Snake], msgspec.Meta(max_length=MOST_SNAKES)] = []
    food: list[Point] = []
    hazards: list[Point] = []

    def holds(self, point: Point) -> bool:
        """Return whether a point is on the board."""
        return 0 <= point.x < self.width and 0 <= point.y < self.height


class Turn(msgspec.Struct, frozen=True, dict=True):
    """The body of a /start, /move or /end request."""

    game: Game
    board: Board
    you: Snake
    turn: Count = 0

    @property
    def timeout(self) -> int:
        """The milliseconds that the engine waits for an answer; above 0."""
        return self.game.timeout or DEFAULT_TIMEOUT

    @property
    def latency(self) -> float:
        """The milliseconds that the engine measured for our last answer; 0 if it reports none.

        The latency is read from the board, because the official engine always sends "0" in `you`.
        """
        mine = self.own
        return mine.milliseconds if mine else 0.0

    @property
    def can_move(self) -> bool:
        """Whether our snake and its head are on the board."""
        own = self.own
        return own is not None and bool(own.body) and self.board.holds(own.body[0])

    @property
    def is_huge(self) -> bool:
        """Whether the board is larger than any engine's. Such a turn gets a reflex, and no record."""
        return max(self.board.width, self.board.height) > MOST_SIDE

    @cached_property
    def size(self) -> int:
        """The bytes that the turn takes in memory, estimated by its points."""
        board = self.board
        parts = len(self.you.body) + sum(len(snake.body) for snake in board.snakes)
        return _TURN_BYTES + _POINT_BYTES * (parts + len(board.food) + len(board.hazards))

    @cached_property
    def own(self) -> Snake | None:
        """Our snake on the board; None if it is not there."""
        return next((snake for snake in self.board.snakes if snake.id == self.you.id), None)

    def with_board(self, **changes: object) -> Self:
        """Return the turn with other fields of its board."""
        return msgspec.structs.replace(self, board=msgspec.structs.replace(self.board, **changes))


def milliseconds(latency: object) -> float:
    """Return a latency in any form in milliseconds; 0 for an unreadable one."""
    if isinstance(latency, str):
        latency = latency.strip().removesuffix("ms")
    if isinstance(latency, bool) or not isinstance(latency, str | int | float):
        return 0.0
    try:
        number = float(latency)
    except (ValueError, OverflowError):
        return 0.0
    return number if 0 <= number <= MOST else 0.0
