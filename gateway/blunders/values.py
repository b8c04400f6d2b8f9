"""What a review finds: the JSON of the API and of the command, which docs/blunders.md describes."""

import msgspec

from gateway.replay.values import Ending


class Budget(msgspec.Struct, frozen=True):
    """What a review may spend.

    Each turn gets up to `factor` times the time that it was played with; `seconds` bounds the whole game.
    `at_once` turns are searched next to each other.
    """

    factor: float = 10.0
    seconds: float = 25.0
    at_once: int = 2


class Valued(msgspec.Struct, frozen=True):
    """A move and its value. `outcome` is set if the search has proven how the game ends after it."""

    move: str
    score: float
    depth: int
    time_ms: float
    outcome: Ending | None = None

    @property
    def is_lost(self) -> bool:
        """Whether it is a proven loss, or a proven draw that the search scores like one."""
        return self.outcome is not None and self.score < 0


class TurnReview(msgspec.Struct, frozen=True):
    """A turn of ours: the move that was played, and the best of the other moves.

    `loss` is what the played move cost in score, 0 if no other one is better. `was_decisive` if it is a
    proven loss and the other one is not.
    """

    turn: int
    played: Valued
    other: Valued
    loss: float
    was_decisive: bool


class Review(msgspec.Struct, frozen=True):
    """A game, reviewed for one of our snakes, named by its id.

    `result` is won, lost, draw or unknown. `died_at` is the first turn without the snake. `blunders` are the
    numbers of the turns whose move was much worse than another one. `lost_at` is the losing turn; None if
    the snake did not lose, or had no other move in any turn. `seen_at` is the first of the last turns whose
    moves are all proven losses, and `seen_depth` the depth of the search that has proven it.
    """

    game: str
    snake: str
    result: str
    cause: str | None
    died_at: int | None
    turns: list[TurnReview]
    blunders: list[int]
    lost_at: int | None
    seen_at: int | None
    seen_depth: int | None
    seconds: float
    unsearched: list[int]
    """The turns for which there was no time, or no answer."""
