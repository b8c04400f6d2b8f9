"""What a decision between two arms still takes."""

from datetime import UTC, datetime, timedelta

import pytest

from gateway.experiments.outlook import RECENT_GAMES, outlook
from gateway.experiments.totals import Totals

NOW = datetime(2026, 5, 4, tzinfo=UTC)


def _totals() -> Totals:
    """Return the totals of two arms that win 62 and 50 of 100 games."""
    ones, others = (
        {f"{arm}{game}": [float(game < wins)] for game in range(100)} for arm, wins in (("a", 62), ("b", 50))
    )
    return Totals.of(ones, others)


def _rate(*days_ago: float) -> float | None:
    return outlook(_totals(), [NOW - timedelta(days=days) for days in days_ago], NOW).games_a_day


def test_a_range_spans_what_is_expected() -> None:
    """A difference larger than it looks takes fewer games, a smaller one more."""
    totals = _totals()
    found, expected = outlook(totals, [], NOW), totals.games_missing()
    assert found.fewest is not None and expected is not None and found.most is not None
    assert found.fewest < expected < found.most
    assert (found.fewest, found.most) == (totals.games_missing(1.0), totals.games_missing(-1.0))


def test_the_rate_is_that_of_the_newest_games() -> None:
    """A pause until now counts, and games of long ago don't."""
    assert _rate(2.0, 1.5, 1.0) == pytest.approx(3 / 2)
    recent = [0.5] * RECENT_GAMES
    assert _rate(900.0, *recent) == _rate(*recent) == pytest.approx(2 * RECENT_GAMES)


def test_without_games_or_time_there_is_no_rate() -> None:
    """A single game that ends now says nothing, nor does a clock that was set back."""
    assert _rate() is None and _rate(0.0) is None and _rate(-1.0) is None
