"""The counts of a snake's game, for its outcome: its moves, late answers, searches and shadows."""

from dataclasses import dataclass, field

from battlesnake_search.board import Turn
from battlesnake_search.record.events import Source
from battlesnake_search.translate import MoveResult, PlayedStrategy
from gateway.play.player import Answer
from gateway.play.shadows import Comparison
from gateway.routes.draw import Choice


@dataclass(slots=True)
class ShadowCounts:
    """The counts of a shadow, over the positions for which it and the arm both found a move.

    Depths (in completed turns) and scores are sums over these positions. The arm's sums are `played_...`.
    """

    strategy: str
    compared: int = 0
    """The number of the compared positions."""
    agreed: int = 0
    """The number of positions in which both found the same move."""
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


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of values that are added one by one."""

    number: int = 0
    total: float = 0.0

    def plus(self, value: float) -> "Mean":
        """Return the mean of the values so far and one more."""
        return Mean(self.number + 1, self.total + value)

    @property
    def value(self) -> float | None:
        """The mean; None without values."""
        return self.total / self.number if self.number else None


@dataclass(slots=True)
class GameCounts:
    """The counts of a snake's game, from the requests that this gateway received."""

    first_turn: int
    opponents: list[str]
    """The names of the opponents in the first turn seen."""
    moves: int = 0
    last_turn: int = -1
    """The turn of the last move."""
    alive: int = 0
    """The number of snakes alive in that turn, including ours."""
    timeouts: int = 0
    """The number of late answers shown by a later /move. The outcome also counts one shown by the /end."""
    latency: Mean = Mean()
    """The latencies that the engine reported, in milliseconds."""
    depth: Mean = Mean()
    """The depths of the searches that found a move, in completed turns."""
    best_so_far: int = 0
    stand_in: int = 0
    """The moves of unfinished searches, and of the default strategy while the arm's is compiled."""
    failed: int = 0
    """The moves for which a call of a searcher failed."""
    choice: Choice | None = None
    """The choice for the last request."""
    drawn: bool = True
    """Whether all requests went to the same arm, drawn and unchanged, and no other strategy played for it."""
    shadows: dict[str, ShadowCounts] = field(default_factory=dict)
    """The counts of shadows by name."""
    searched: dict[str, PlayedStrategy] = field(default_factory=dict)
    """The strategies that found moves, by name. If `auto` chose a strategy, `auto` is listed as well."""

    def add_choice(self, choice: Choice) -> None:
        """Add the choice for a request."""
        same = self.choice is None or _is_same(self.choice, choice)
        self.drawn = self.drawn and same and not choice.forced
        self.choice = choice

    def add_move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Add the answered move of a new turn."""
        self.add_choice(choice)
        self.moves += 1
        self.last_turn, self.alive = turn.turn, len(turn.board.snakes)
        self.timeouts += answer.late_before
        self.drawn = self.drawn and not answer.is_bridged
        self.failed += answer.has_failed_call
        self.stand_in += answer.is_stand_in
        self.best_so_far += answer.source is Source.BEST_SO_FAR and not answer.is_stand_in
        if turn.latency:
            self.latency = self.latency.plus(turn.latency)
        if answer.result is not None:
            self._add_result(answer.result)

    def add_comparison(self, comparison: Comparison) -> None:
        """Add a shadow's answer if both the shadow and the arm found a move."""
        shadow, played, shadowed = comparison.shadow, comparison.played, comparison.shadowed
        if played is not None and shadowed is not None:
            self.shadows.setdefault(shadow.name, ShadowCounts(shadow.strategy or "")).add(played, shadowed)

    def _add_result(self, result: MoveResult) -> None:
        self.depth = self.depth.plus(result.depth)
        for played in filter(None, (result.auto, result.strategy)):
            before = self.searched.get(played.name, played)
            self.drawn = self.drawn and before.digest == played.digest
            self.searched[played.name] = played

    @property
    def unbroken(self) -> bool:
        """Whether this gateway received every move from the first turn seen to the last."""
        return self.moves == self.last_turn - self.first_turn + 1


def _is_same(one: Choice, other: Choice) -> bool:
    """Return whether two choices are the same arm of an experiment, with the same setup."""
    if (one.snake.experiment_name, one.arm.name) != (other.snake.experiment_name, other.arm.name):
        return False
    return one.arm is other.arm or one.arm.setup == other.arm.setup
