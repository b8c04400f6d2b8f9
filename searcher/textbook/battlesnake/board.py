"""The state of a Battlesnake game as plain values that never change."""

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
"""How far each move goes in x and in y."""


class Cause(StrEnum):
    """Why a snake was eliminated, in the words of the official rules."""

    HUNGER = "out-of-health"
    HAZARD = "hazard"
    WALL = "wall-collision"
    ITSELF = "snake-self-collision"
    BODY = "snake-collision"
    HEAD = "head-collision"


@dataclass(frozen=True, slots=True)
class Elimination:
    """How a snake died: why, by whom ("" for nobody), and on which turn."""

    cause: Cause
    by: str
    turn: int


@dataclass(frozen=True, slots=True)
class Snake:
    """A snake. `body` is head first; parts yet to unfold repeat the tail."""

    id: str
    body: tuple[Point, ...]
    health: int = MAX_HEALTH
    elimination: Elimination | None = None
    """None while it lives."""

    @property
    def alive(self) -> bool:
        """Whether it still plays."""
        return self.elimination is None

    @property
    def head(self) -> Point:
        """The cell of its first part."""
        return self.body[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset by its official name, and the settings a turn depends on."""

    name: str = "standard"
    hazard_damage: int = 0
    """Health lost for each layer of hazard under a head; negative heals."""

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
    """All of a game at the start of a turn. A hazard repeated k times is k layers.

    `snakes` keeps the eliminated ones in their places: a player is an index into it.
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
        """Whether a snake plays until it dies: by the ruleset's name, or because it came alone."""
        return self.rules.name == "solo" or len(self.snakes) == 1

    @property
    def over(self) -> bool:
        """Whether no turn is played any more: nobody is left, or one winner is."""
        return len(self.living) <= (0 if self.solo else 1)

    def neighbour(self, cell: Point, direction: Direction) -> Point:
        """The cell one step away: across the seam of a wrapped board, off the edge of any other."""
        x, y = cell[0] + STEPS[direction][0], cell[1] + STEPS[direction][1]
        return (x % self.width, y % self.height) if self.rules.wrapped else (x, y)

    def holds(self, cell: Point) -> bool:
        """Whether the cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height
