"""The state of a Battlesnake game as immutable values."""

from dataclasses import dataclass, field
from enum import StrEnum

from searcher.textbook.game import Player

Point = tuple[int, int]
"""A cell as (x, y), counted from the bottom left."""

MAX_HEALTH = 100


class Direction(StrEnum):
    """A move, as the Battlesnake API spells it."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


STEPS = {Direction.UP: (0, 1), Direction.DOWN: (0, -1), Direction.LEFT: (-1, 0), Direction.RIGHT: (1, 0)}
"""The step of each move in x and in y."""


class Cause(StrEnum):
    """The reason for an elimination, as the official rules name it."""

    HUNGER = "out-of-health"
    HAZARD = "hazard"
    WALL = "wall-collision"
    SELF = "snake-self-collision"
    BODY = "snake-collision"
    HEAD = "head-collision"


@dataclass(frozen=True, slots=True)
class Elimination:
    """The death of a snake: its cause, the id of the killer ("" for none) and the turn."""

    cause: Cause
    by: str
    turn: int


@dataclass(frozen=True, slots=True)
class Snake:
    """A snake. `body` is head first; segments that have yet to unfold repeat the tail."""

    id: str
    body: tuple[Point, ...]
    health: int = MAX_HEALTH
    elimination: Elimination | None = None
    """None while the snake is alive."""

    @property
    def alive(self) -> bool:
        """Whether the snake is still in the game."""
        return self.elimination is None

    @property
    def head(self) -> Point:
        """The cell of the head."""
        return self.body[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset by its official name, with the settings that a turn depends on."""

    name: str = "standard"
    hazard_damage: int = 0
    """The health lost for each layer of hazard under a head; a negative value heals."""

    @property
    def wrapped(self) -> bool:
        """Whether opposite edges are joined."""
        return self.name.startswith("wrapped")

    @property
    def constrictor(self) -> bool:
        """Whether every snake grows on every turn, without food."""
        return self.name.endswith("constrictor")


@dataclass(frozen=True, slots=True)
class Board:
    """The state of a game at the start of a turn. A hazard that is listed k times has k layers.

    `snakes` keeps eliminated snakes in their places, since a player is an index into it.
    """

    width: int
    height: int
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...] = ()
    hazards: tuple[Point, ...] = ()
    turn: int = 0
    rules: Rules = field(default_factory=Rules)

    @property
    def living(self) -> list[Player]:
        """The players whose snakes are alive."""
        return [player for player, snake in enumerate(self.snakes) if snake.alive]

    @property
    def solo(self) -> bool:
        """Whether every snake plays until it dies: under the solo ruleset, or if there is only one snake."""
        return self.rules.name == "solo" or len(self.snakes) == 1

    @property
    def over(self) -> bool:
        """Whether the game is over: no snake is left, or only the winner."""
        return len(self.living) <= (0 if self.solo else 1)

    def neighbour(self, cell: Point, direction: Direction) -> Point:
        """Return the cell one step away: across the edge of a wrapped board, off the edge of any other."""
        x, y = cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]
        return (x % self.width, y % self.height) if self.rules.wrapped else (x, y)

    def holds(self, cell: Point) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height
