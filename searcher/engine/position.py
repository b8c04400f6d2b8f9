"""Positions, directions and rules as plain Python values, for the callers of the engine."""

from dataclasses import dataclass, field
from enum import IntEnum

Point = tuple[int, int]
"""A cell as (x, y), counted from the bottom left."""

MAX_HEALTH = 100
"""The health of a snake that has just eaten."""


class Direction(IntEnum):
    """A move. The compiled engine uses the values as indices."""

    UP = 0
    DOWN = 1
    LEFT = 2
    RIGHT = 3


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of a game: its official name and the settings that a turn depends on."""

    name: str = "standard"
    hazard_damage: int = 0
    """Health lost for each layer of hazard under a head. A negative value heals."""
    shrink_every: int = 0
    """Turns between two steps of hazards that close in, 0 if they don't close in."""
    trails: bool = False
    """Whether a cell that a tail leaves becomes a hazard, as in snail mode: with as many layers as its snake
    has parts. Each turn takes a layer from every hazard."""

    @property
    def wrapped(self) -> bool:
        """Whether the board's edges are joined."""
        return self.name.startswith("wrapped")

    @property
    def constrictor(self) -> bool:
        """Whether, on every turn, every snake grows and food is removed."""
        return self.name.endswith("constrictor")


def ruleset_on(map_name: str, name: str, hazard_damage: int, shrink_every: int) -> Ruleset:
    """Return the rules of a game on a map. Without hazards that close in, `shrink_every` does not count.

    Hazards close in under royale's rules and on royale's map. Tails leave hazards on the map of snail mode.
    """
    closes_in = "royale" in (name, map_name)
    return Ruleset(name, hazard_damage, shrink_every * closes_in, map_name == "snail_mode")


@dataclass(frozen=True, slots=True)
class Snake:
    """A living snake. `body` is head first. Parts yet to unfold repeat the tail's cell."""

    id: str
    health: int
    body: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The position that a search starts from. `snakes` are the living snakes. `you` is our snake's index.

    A hazard that is repeated k times has k layers. Callers guarantee sides of 1 to MAX_SIDE cells, 1 to
    MAX_SNAKES snakes, and bodies that are on the board, connected and disjoint.
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
    """Return whether the last snake alive wins: there are opponents, and one snake alone ends the game."""
    return len(position.snakes) > 1 and position.ruleset.name != "solo"
