"""Reviews by hand."""

from typing import Any

from console.reviews.review import Review, TurnReview, Valued, turn_review
from console.store.values import Ending


def valued(move: str, score: float) -> Valued:
    """Return a move with a score; -1 is a proven loss."""
    return Valued(move, score, 9, 400.0, Ending("loss", 7) if score == -1 else None)


def compared(turn: int, played: float, other: float) -> TurnReview:
    """Return a turn with the scores of the played move up and of the better one, left."""
    return turn_review(turn, valued("up", played), valued("left", other))


def lost(cause: str | None, **fields: Any) -> Review:
    """Return the review of a game that was lost in turn 20."""
    found: dict[str, Any] = {
        "died_at": 20,
        "lost_at": None,
        "seen_at": None,
        "seen_depth": None,
        "story": None,
        "summary": "",
        "better_line": [],
    }
    found |= {"result": "lost", "turns": [], "blunders": [], "seconds": 1.0, "unsearched": []}
    return Review(game="g", snake="s", cause=cause, **(found | fields))
