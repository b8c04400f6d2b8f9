"""A position and a turn's vocabulary as plain Python values; what callers of the engine hold."""

from dataclasses import dataclass, field
from enum import IntEnum

Point = tuple[int, int]
"""A cell as (x, y), counted from the bottom left."""

MAX_SIZE = 25
"""The longest side of a board, in cells."""

MAX_SNAKES = 8

MAX_HEALTH = 100


class Direction(IntEnum):
    """A move. The values index the move tables of the compiled engine."""

    UP = 0
    DOWN = 1
    LEFT = 2
    RIGHT = 3


def closes_in(ruleset: str, map_name: str) -> bool:
    """Whether hazards close in: by royale's rules on any map, and on its map by any rules."""
    return "royale" in (ruleset, map_name)


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game: its official name and the settings a turn depends on."""

    name: str = "standard"
    hazard_damage: int = 0
    """Health lost for each layer of hazard under a head; negative heals."""
    shrink_every: int = 0
    """Turns between two steps of hazards that close in; 0: they don't."""

    @property
    def wrapped(self) -> bool:
        """Whether the board's edges are joined."""
        return self.name.startswith("wrapped")

    @property
    def constrictor(self) -> bool:
        """Whether every snake grows on every turn and food is removed."""
        return self.name.endswith("constrictor")


@dataclass(frozen=True, slots=True)
class Snake:
    """A living snake. `body` is head first; parts yet to unfold repeat the tail."""

    id: str
    health: int
    body: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """What a search starts from. `snakes` holds the living ones; `you` indexes the one to move for.

    A hazard repeated k times is k layers. Callers guarantee what the contract promises: sides of
    1 to 25, 1 to 8 snakes, bodies on the board, connected and disjoint.
    """

    width: int
    height: int
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...] = ()
    hazards: tuple[Point, ...] = ()
    you: int = 0
    turn: int = 0
    ruleset: Ruleset = field(default_factory=Ruleset)


def is_contested(position: Position) -> bool:
    """Whether the last one alive wins: there are others, and the game does not go on with one."""
    return len(position.snakes) > 1 and position.ruleset.name != "solo"
