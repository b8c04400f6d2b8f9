"""The comparison over time, the games until a decision, and both in words."""

import asyncio
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from battlesnake_search.common.estimation import Estimate
from battlesnake_search.record.outcome import Outcome
from console.experiments.comparison import (
    RECENT_GAMES,
    ArmComparison,
    Outlook,
    outlook,
    still_needed,
    summary,
)
from console.experiments.report import report
from console.experiments.statistics import Totals
from tests.console.conftest import Recorded
from tests.console.experiments.duels import duels, totals_of
from tests.console.store.outcome_samples import OUTCOME

START = OUTCOME.ended_at


def _compare(recorded: Recorded, outcomes: list[Outcome], now: datetime = START) -> ArmComparison:
    [experiment] = asyncio.run(report(recorded(outcomes), now))
    assert experiment.comparison is not None
    return experiment.comparison


def _arms(blue: tuple[int, int, int], green: tuple[int, int, int]) -> list[Outcome]:
    return [*duels("x", "blue", *blue), *duels("x", "green", *green)]


def test_the_history_is_evenly_spaced_and_ends_with_the_comparison(recorded: Recorded) -> None:
    """For any number of games there are at most 200 moments, and the last moment has all games."""
    comparison = _compare(recorded, _arms((900, 0, 850), (870, 0, 880)))
    history = comparison.history
    assert len(history) == 200
    assert history[-1].games == comparison.games == (1750, 1750)
    assert history[-1].difference == comparison.difference
    counts = [sum(moment.games) for moment in history]
    assert {later - one for one, later in pairwise(counts)} <= {17, 18}
    assert [moment.at for moment in history] == sorted(moment.at for moment in history)


def test_the_moment_of_decision_is_the_first_one(recorded: Recorded) -> None:
    """At that moment the interval excludes 0, and at all moments before it, it contains 0."""
    comparison = _compare(recorded, _arms((180, 0, 20), (60, 0, 140)))
    first = comparison.first_decided
    assert first is not None and first.difference.low > 0 and min(first.games) >= 30
    assert 30 <= first.games[0] < 100
    before = [moment for moment in comparison.history if sum(moment.games) < sum(first.games)]
    assert all(moment.difference.low <= 0 or min(moment.games) < 30 for moment in before)
    assert comparison.outlook is None and comparison.still_needed == ""
    assert comparison.summary.startswith(
        "blue is better than green, the control: of 100 games, it wins about 60"
    )


def test_the_outlook_is_a_range_of_games_and_days(recorded: Recorded) -> None:
    """The rate is measured over the last 200 games until now, and a pause lowers it."""
    # One game of each arm ends in each minute.
    games = _arms((62, 0, 38), (50, 0, 50))
    busy = _compare(recorded, games, START + timedelta(minutes=100))
    assert busy.outlook is not None and busy.outlook.fewest and busy.outlook.most
    assert busy.outlook.fewest < (busy.games_missing or 0) < busy.outlook.most
    assert busy.outlook.games_a_day == pytest.approx(2 * 24 * 60)
    assert "between" in busy.still_needed and "(2 hours to 1 day at 2,880 games a day)" in busy.still_needed
    paused = _compare(recorded, games, START + timedelta(days=400))
    assert paused.outlook is not None and paused.outlook.games_a_day == pytest.approx(0.5)
    assert "days at the present rate" in paused.still_needed


NOW = datetime(2026, 5, 4, tzinfo=UTC)


def _totals() -> Totals:
    """Return the totals of two arms that win 62 and 50 of 100 games."""
    ones, others = (
        {f"{arm}{game}": [float(game < wins)] for game in range(100)} for arm, wins in (("a", 62), ("b", 50))
    )
    return totals_of(ones, others)


def _rate(*days_ago: float) -> float | None:
    return outlook(_totals(), [NOW - timedelta(days=days) for days in days_ago], NOW).games_a_day


def test_the_rate_is_that_of_the_newest_games() -> None:
    """A pause until now counts, and games of long ago don't."""
    assert _rate(2.0, 1.5, 1.0) == pytest.approx(3 / 2)
    recent = [0.5] * RECENT_GAMES
    assert _rate(900.0, *recent) == _rate(*recent) == pytest.approx(2 * RECENT_GAMES)


def test_without_games_or_time_there_is_no_rate() -> None:
    """The rate is unknown after a single game that ends now, and after a clock was set back."""
    assert _rate() is None and _rate(0.0) is None and _rate(-1.0) is None


ARMS = ("new", "old")
ENOUGH = (30, 30)


def _needed(fewest: int | None, most: int | None, games_a_day: float | None) -> str:
    return still_needed(ARMS, ENOUGH, Outlook(fewest, most, games_a_day))


@pytest.mark.parametrize(
    ("difference", "decided", "words"),
    [
        (None, False, "new and old, the control, can't be compared before both have played."),
        (Estimate(0.05, -0.1, 0.2), False, "new may win anything from 10 fewer to 20 more than old,"),
        (Estimate(0.1, 0.006, 0.2), False, "anything from 1 more to 20 more than old"),
        (Estimate(0.1, 0.006, 0.2), False, "It is too early to decide: of 100 games, new may win"),
        (Estimate(0.25, 0.05, 0.45), True, "new is better than old, the control: of 100 games, it wins "),
        (Estimate(0.25, 0.05, 0.45), True, "it wins about 25 more (between 5 and 45). A draw"),
        (Estimate(-0.25, -0.45, -0.05), True, "new is worse than old, the control: "),
    ],
)
def test_a_difference_is_told_in_games(difference: Estimate | None, decided: bool, words: str) -> None:
    """It is that in a hundred games, with its interval; the smaller end comes first."""
    assert words in summary(ARMS, difference, decided)


@pytest.mark.parametrize(
    ("fewest", "most", "words"),
    [
        (1, None, "a decision takes at least 1 game more. How many"),
        (2, None, "a decision takes at least 2 games more. How many"),
        (1234, None, "a decision takes at least 1,300 games more. How many"),
        (111, 4321, "a decision takes between 120 and 4,400 more games."),
    ],
)
def test_the_games_until_a_decision_are_told(fewest: int, most: int | None, words: str) -> None:
    """They are rounded up; without a most, only the fewest are known."""
    assert words in _needed(fewest, most, None)
