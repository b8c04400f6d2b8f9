"""The counts of a snake's game: its moves, answers, searches and shadows. The outcome is made of them."""

from dataclasses import dataclass, field

from battlesnake_search.translate import MoveResult, PlayedStrategy
from gateway.routes.config import Choice


@dataclass(slots=True)
class ShadowCounts:
    """The counts of a shadow, over the positions for which it and the arm both found a move.

    Depths (in completed turns) and scores are the shadow's sums. The arm's sums are `played_...`.
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
    """The answers that came too late."""
    latencies: list[float] = field(default_factory=list)
    """The latencies that the engine reported, in milliseconds."""
    depths: list[int] = field(default_factory=list)
    """The depths of the searches that found a move, in completed turns."""
    choice: Choice | None = None
    """The choice for the last request."""
    drawn: bool = True
    """Whether all requests went to the same arm, drawn and unchanged."""
    shadows: dict[str, ShadowCounts] = field(default_factory=dict)
    """The counts of shadows by name."""
    searched: dict[str, PlayedStrategy] = field(default_factory=dict)
    """The strategies that found moves, by name. If `auto` chose them, it is one of them."""

    def add_choice(self, choice: Choice) -> None:
        """Add the choice for a request."""
        same = self.choice is None or _is_same(self.choice, choice)
        self.drawn = self.drawn and same and not choice.forced
        self.choice = choice

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


def _is_same(one: Choice, other: Choice) -> bool:
    """Return whether two choices are the same arm of an experiment, with the same setup."""
    if (one.snake.draw, one.arm.name) != (other.snake.draw, other.arm.name):
        return False
    return one.arm is other.arm or one.arm.setup == other.arm.setup
