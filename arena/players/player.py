"""What the arena asks of a player, whatever it is: the seam between a game and who plays it."""

from dataclasses import dataclass
from typing import Protocol

from arena.records.model import Fault, Rules
from searcher.engine.position import Direction, Position, Snake


@dataclass(frozen=True, slots=True)
class View:
    """What a snake is told: the position, itself, and the game around it."""

    game_id: str
    rules: Rules
    position: Position
    """While it lives, `position.you` is the snake's index."""
    you: Snake
    """As it is; of a dead one, as it last was alive."""
    seed: int
    """Of this one decision; players that can repeat themselves take their chances from it."""
    latencies: tuple[int, ...]
    """Milliseconds of the last answers of the position's snakes, in their order."""


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move, and what the player tells of how it came about.

    `score` is from -1 (lost) to 1 (won), None if untold. `pv` is the principal variation: for each turn
    a letter of u, d, l, r for each snake of the position, - for the dead.
    """

    move: Direction
    depth: int = 0
    nodes: int = 0
    score: float | None = None
    pv: tuple[str, ...] = ()


class FaultError(Exception):
    """An answer that was none, by the name of its fault."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Player(Protocol):
    """Plays any number of snakes, in one event loop. Time is taken by who calls."""

    @property
    def remote(self) -> bool:
        """Whether it thinks elsewhere, so that others may be asked at the same time."""

    async def start(self, view: View) -> None:
        """A game begins for a snake."""

    async def choose(self, view: View) -> ChosenMove:
        """A move. Raises FaultError when there is none."""

    async def end(self, view: View) -> None:
        """The game is over."""

    async def close(self) -> None:
        """No more games follow."""
