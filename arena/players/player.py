"""The interface between a game and its players."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.records import Fault, Looks, Rules
from searcher.engine.position import Direction, Position, Snake

CHECK_SECONDS = 5.0
"""Seconds to wait for the first answer of a remote player, because its server may have to start."""


PLAIN = Looks(color="#888888", head="default", tail="default")
"""The looks of a snake of the official engine that names none."""


@dataclass(frozen=True, slots=True)
class View:
    """The view that a player receives for a decision: the position, its snake, and the game."""

    game_id: str
    rules: Rules
    position: Position
    """While the snake is alive, `position.you` is its index."""
    you: Snake
    """The snake as it is or, if it is dead, as its last move has left it, perhaps off the board."""
    seed: int
    """The seed of this decision, for players that can repeat their searches."""
    latencies: tuple[int, ...]
    """The milliseconds until the last answer of each snake of the position."""
    names: tuple[str, ...]
    """The name of each snake of the position. Snakes of the same entrant have the same name."""
    latency: int = 0
    """The milliseconds until the last answer of the snake itself."""
    looks: Mapping[str, Looks] = field(default_factory=dict)
    """The looks of snakes by their ids, if they differ from the default."""


@dataclass(frozen=True, slots=True)
class ChosenMove:
    """A move, and the player's report of its search.

    `score` is from -1 (lost) to 1 (won), None if not reported. `pv` is the principal variation: for each
    turn, a letter for each snake of the position: u, d, l or r, or - for a dead snake.
    """

    move: Direction
    depth: int = 0
    nodes: int = 0
    score: float | None = None
    pv: tuple[str, ...] = ()


class FaultError(Exception):
    """A faulty answer, with the name of its fault."""

    def __init__(self, fault: Fault, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Player:
    """A player of any number of snakes, in one event loop. The caller measures the time.

    Methods other than `choose` do nothing unless a player overrides them.
    """

    remote = False
    """Whether the player searches in another process, so that other players can decide at the same time."""

    async def check_reachable(self) -> None:
        """Raise ConnectionError, with the reason, if this machine gets no answer from the player."""

    async def looks(self) -> Looks:
        """Return the looks that the player's snakes name for the next game; empty ones if they name none."""
        return Looks()

    async def version(self, view: View) -> str:
        """Return a digest of the strategy for the position, its weights and its code; empty if unknown."""
        return ""

    async def start(self, view: View) -> None:
        """Prepare for a game that begins for a snake."""

    async def choose(self, view: View) -> ChosenMove:
        """Return a move. Raises FaultError if there is none."""
        raise NotImplementedError

    async def outlive(self, view: View) -> None:
        """Handle the last position of a game that the snake has won. No move is played."""

    async def end(self, view: View) -> None:
        """Handle the end of the game."""

    async def close(self) -> None:
        """Release everything after the last game."""
