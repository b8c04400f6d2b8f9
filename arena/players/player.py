"""The interface between a game and its players."""

from dataclasses import dataclass

from arena.records import Fault, Looks, Rules
from searcher.engine.position import Direction, Position, Snake

CHECK_SECONDS = 5.0
"""Seconds to wait for the first answer of a remote player, because its server may have to start."""


PLAIN = Looks(color="#888888", head="default", tail="default")
"""The looks of a snake of the official engine that names none."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A snake as an engine reports it.

    A dead snake has the body after its last move, whose head may be off the board.
    """

    snake: Snake
    name: str
    latency: int | None = 0
    """The milliseconds until the last answer, or None if it was late."""
    shout: str = ""
    looks: Looks = PLAIN


@dataclass(frozen=True, slots=True)
class View:
    """The view that a player receives for a decision: the position, its snake, and the game."""

    game_id: str
    rules: Rules
    position: Position
    """While the snake is alive, `position.you` is its index."""
    you: Reported
    """The snake that decides, dead or alive."""
    snakes: tuple[Reported, ...]
    """The snakes of the position. Snakes of the same entrant have the same name.

    In a platform's view they include the dead snakes, in the order of the first board.
    """
    seed: int = 0
    """The seed of this decision, for players that can repeat their searches."""


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
