"""What a gateway has seen of the games now playing, for when they end."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gateway.bodies import Turn
from gateway.moves.per_snake import Playing
from gateway.moves.player import Answer
from gateway.moves.shadows import Comparison
from gateway.routes.config import Choice
from gateway.searchers.translate import Verdict

_LONGEST_PAUSE = 3600.0


@dataclass(slots=True)
class ShadowTally:
    """What a shadow would have played, over the positions for which it and the arm both found a move.

    Depths, in completed turns, and scores are sums: the shadow's, and those of what was played.
    """

    strategy: str
    compared: int = 0
    """Positions."""
    agreed: int = 0
    """Positions in which both found the same move."""
    depth: int = 0
    score: float = 0.0
    played_depth: int = 0
    played_score: float = 0.0

    def add(self, played: Verdict, shadowed: Verdict) -> None:
        """Compare one position more."""
        self.compared += 1
        self.agreed += played.move == shadowed.move
        self.depth += shadowed.depth
        self.score += shadowed.score
        self.played_depth += played.depth
        self.played_score += played.score


@dataclass(slots=True)
class Tally:
    """A snake's game so far, as far as this gateway was asked about it."""

    first_turn: int
    opponents: list[str]
    """Names of the other snakes, at the first turn seen."""
    moves: int = 0
    last_turn: int = -1
    """The turn of the last move."""
    alive: int = 0
    """Snakes alive in that turn, ours among them."""
    timeouts: int = 0
    """Answers that the engine said were late."""
    depths: list[int] = field(default_factory=list)
    """Of the searches that gave a move, in completed turns."""
    choice: Choice | None = None
    """Of the last request."""
    drawn: bool = True
    """Whether every request went to one arm, and to the one that was drawn."""
    shadows: dict[str, ShadowTally] = field(default_factory=dict)
    """By name."""

    def add_choice(self, choice: Choice) -> None:
        """A request goes to this arm."""
        same = self.choice is None or _arm(self.choice) == _arm(choice)
        self.drawn = self.drawn and same and not choice.forced
        self.choice = choice

    @property
    def unbroken(self) -> bool:
        """Whether no move between the first turn seen and the last one went elsewhere."""
        return self.moves == self.last_turn - self.first_turn + 1


class Tallies:
    """The tallies of all snakes now playing, each dropped after an hour's pause. `now`: in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._tallies = Playing(_first_seen, now, _LONGEST_PAUSE)

    def __len__(self) -> int:
        return len(self._tallies)

    def start(self, turn: Turn, choice: Choice) -> None:
        """A game starts."""
        self._tallies.recall(turn).add_choice(choice)

    def move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """A move was answered."""
        tally = self._tallies.recall(turn)
        tally.add_choice(choice)
        tally.moves += 1
        tally.last_turn, tally.alive = turn.turn, len(turn.board.snakes)
        tally.timeouts += answer.late_before
        if answer.verdict is not None:
            tally.depths.append(answer.verdict.depth)

    def compare(self, comparison: Comparison) -> None:
        """A shadow has answered; one that comes after the game's end is too late."""
        tally, shadow = self._tallies.known(comparison.turn), comparison.shadow
        if tally is None or comparison.played is None or comparison.shadowed is None:
            return
        seen = tally.shadows.setdefault(shadow.name, ShadowTally(shadow.strategy or ""))
        seen.add(comparison.played, comparison.shadowed)

    def end(self, turn: Turn) -> Tally | None:
        """A game is over. Gives what was seen of it; None: nothing."""
        return self._tallies.forget(turn)


def _first_seen(turn: Turn) -> Tally:
    return Tally(turn.turn, others(turn))


def _arm(choice: Choice) -> tuple[str, str]:
    return choice.snake.draw, choice.arm.name


def others(turn: Turn) -> list[str]:
    """Names of the snakes on the board but ours."""
    return [snake.name for snake in turn.board.snakes if snake.id != turn.you.id]
