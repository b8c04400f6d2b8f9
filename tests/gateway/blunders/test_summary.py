"""What many reviews have in common."""

from typing import Any

from gateway.blunders.summary import UNKNOWN, CauseSummary, by_cause
from gateway.blunders.values import Review


def _lost(cause: str | None, **fields: Any) -> Review:
    found: dict[str, Any] = {"died_at": 20, "lost_at": None, "seen_at": None, "seen_depth": None}
    found |= {"result": "lost", "turns": [], "blunders": [], "seconds": 1.0, "unsearched": []}
    return Review(game="g", snake="s", cause=cause, **(found | fields))


def test_lost_games_are_counted_by_cause() -> None:
    """The most frequent cause is the first, then by name; games that were not lost don't count."""
    reviews = [_lost("wall"), _lost("hazard"), _lost(None), _lost("hazard"), _lost("wall", result="won")]
    assert [(one.cause, one.games) for one in by_cause(reviews)] == [("hazard", 2), (UNKNOWN, 1), ("wall", 1)]


def test_figures_are_medians_of_the_games_that_have_them() -> None:
    """Turns are counted back from the death; a game without a figure has no part in its median."""
    reviews = [
        _lost("wall", died_at=20, lost_at=10, seen_at=17, seen_depth=8),
        _lost("wall", died_at=30, lost_at=29, seen_at=None, seen_depth=None),
        _lost("wall", died_at=40, lost_at=36, seen_at=38, seen_depth=5),
        _lost("wall", died_at=None, lost_at=3, seen_at=4, seen_depth=None),
    ]
    assert by_cause(reviews) == [CauseSummary("wall", 4, 4.0, 2.5, 6.5)]
    assert by_cause([_lost("wall")]) == [CauseSummary("wall", 1, None, None, None)]
