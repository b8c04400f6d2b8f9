"""Tallies of the games in progress: what the gateway has seen of each, for the outcome at its end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from battlesnake_search.board import Turn
from battlesnake_search.translate import MoveResult, PlayedStrategy
from gateway.game.per_snake import PerSnake
from gateway.game.setup import setup_digest
from gateway.play.player import Answer
from gateway.play.shadows import Comparison
from gateway.routes.config import Choice

_LONGEST_PAUSE = 3600.0
"""Seconds."""


@dataclass(slots=True)
class ShadowTally:
    """The tally of a shadow, over the positions for which it and the arm both found a move.

    Depths (in completed turns) and scores are sums: the shadow's, and the arm's for `played_...`.
    """

    strategy: str
    compared: int = 0
    """The number of those positions."""
    agreed: int = 0
    """Positions in which both found the same move."""
    depth: int = 0
    score: float = 0.0
    played_depth: int = 0
    played_score: float = 0.0

    def add(self, played: MoveResult, shadowed: MoveResult) -> None:
        """Add a position."""
        self.compared += 1
        self.agreed += played.move == shadowed.move
        self.depth += shadowed.depth
        self.score += shadowed.score
        self.played_depth += played.depth
        self.played_score += played.score


@dataclass(slots=True)
class Tally:
    """The tally of a snake's game, from the requests that this gateway received."""

    first_turn: int
    opponents: list[str]
    """The names of the opponents in the first turn seen."""
    moves: int = 0
    last_turn: int = -1
    """The turn of the last move."""
    alive: int = 0
    """The number of snakes alive in that turn, including ours."""
    timeouts: int = 0
    """The answers that the engine reported as late."""
    latencies: list[float] = field(default_factory=list)
    """The latencies that the engine reported, in milliseconds."""
    depths: list[int] = field(default_factory=list)
    """The depths of the searches that found a move, in completed turns."""
    choice: Choice | None = None
    """The choice for the last request."""
    drawn: bool = True
    """Whether every request went to the same arm, that arm was drawn, and it did not change meanwhile."""
    shadows: dict[str, ShadowTally] = field(default_factory=dict)
    """The tallies of shadows by name."""
    searched: dict[str, PlayedStrategy] = field(default_factory=dict)
    """The strategies that found moves, by name; `auto`, if it chose them, is one of them."""

    def add_choice(self, choice: Choice) -> None:
        """Add the choice for a request."""
        same = self.choice is None or _is_same(self.choice, choice)
        self.drawn = self.drawn and same and not choice.forced
        self.choice = choice

    def add_latency(self, turn: Turn) -> None:
        """Add the latency of the previous answer, as a request reports it; the first one has none."""
        if turn.latency:
            self.latencies.append(turn.latency)

    def add_result(self, result: MoveResult) -> None:
        """Add the result of a search that found a move."""
        self.depths.append(result.depth)
        for played in filter(None, (result.auto, result.strategy)):
            before = self.searched.get(played.name, played)
            self.drawn = self.drawn and before.digest == played.digest
            self.searched[played.name] = played

    @property
    def unbroken(self) -> bool:
        """Whether this gateway received every move from the first turn seen to the last."""
        return self.moves == self.last_turn - self.first_turn + 1


class Tallies:
    """The tallies of all games in progress, each dropped after a pause of an hour. `now` is in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._tallies = PerSnake(_new_tally, now, _LONGEST_PAUSE)

    def __len__(self) -> int:
        return len(self._tallies)

    def start(self, turn: Turn, choice: Choice) -> None:
        """Record the start of a game."""
        self._tallies.get_or_create(turn).add_choice(choice)

    def move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Record an answered move."""
        tally = self._tallies.get_or_create(turn)
        tally.add_choice(choice)
        tally.moves += 1
        tally.last_turn, tally.alive = turn.turn, len(turn.board.snakes)
        tally.timeouts += answer.late_before
        tally.add_latency(turn)
        if answer.result is not None:
            tally.add_result(answer.result)

    def compare(self, comparison: Comparison) -> None:
        """Record a shadow's answer, unless it comes after the game's end."""
        tally, shadow = self._tallies.get(comparison.turn), comparison.shadow
        if tally is None or comparison.played is None or comparison.shadowed is None:
            return
        shadow_tally = tally.shadows.setdefault(shadow.name, ShadowTally(shadow.strategy or ""))
        shadow_tally.add(comparison.played, comparison.shadowed)

    def end(self, turn: Turn) -> Tally | None:
        """Drop the tally of a game that is over and return it; None if the game was not seen before."""
        return self._tallies.pop(turn)


def _new_tally(turn: Turn) -> Tally:
    return Tally(turn.turn, opponents(turn))


def _is_same(one: Choice, other: Choice) -> bool:
    """Return whether two choices are the same arm of an experiment, which plays in the same way."""
    if (one.snake.draw, one.arm.name) != (other.snake.draw, other.arm.name):
        return False
    return one.arm is other.arm or setup_digest(one.arm) == setup_digest(other.arm)


def opponents(turn: Turn) -> list[str]:
    """Return the names of the opponents on the board."""
    return [snake.name for snake in turn.board.snakes if snake.id != turn.you.id]
