"""The comparison over time, what a decision still takes, and both in words."""

import asyncio
from datetime import datetime, timedelta
from itertools import pairwise

import msgspec
import pytest

from gateway.experiments.comparison import ArmComparison, last_change
from gateway.experiments.games import Game
from gateway.experiments.report import report
from gateway.experiments.series import Series
from gateway.game.values import Outcome
from tests.gateway.conftest import Recorded
from tests.gateway.experiments.duels import duels
from tests.gateway.store.outcome_samples import OUTCOME

START = OUTCOME.ended_at


def _compare(recorded: Recorded, outcomes: list[Outcome], now: datetime = START) -> ArmComparison:
    [experiment] = asyncio.run(report(recorded(outcomes), now))
    assert experiment.comparison is not None
    return experiment.comparison


def _arms(blue: tuple[int, int, int], green: tuple[int, int, int]) -> list[Outcome]:
    return [*duels("x", "blue", *blue), *duels("x", "green", *green)]


def test_the_history_is_evenly_spaced_and_ends_with_the_comparison(recorded: Recorded) -> None:
    """However many games there are, there are at most 200 moments; the last has all games."""
    comparison = _compare(recorded, _arms((900, 0, 850), (870, 0, 880)))
    history = comparison.history
    assert len(history) == 200
    assert history[-1].games == comparison.games == (1750, 1750)
    assert history[-1].difference == comparison.difference
    counts = [sum(moment.games) for moment in history]
    assert {later - one for one, later in pairwise(counts)} <= {17, 18}
    assert [moment.at for moment in history] == sorted(moment.at for moment in history)


def test_a_short_history_has_every_game(recorded: Recorded) -> None:
    """A moment follows each game after which both arms have one."""
    comparison = _compare(recorded, _arms((4, 0, 2), (3, 1, 2)))
    assert [sum(moment.games) for moment in comparison.history] == list(range(2, 13))


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


def test_equal_arms_have_no_moment_of_decision(recorded: Recorded) -> None:
    """Without a decision the words say so, and don't guess when one comes."""
    comparison = _compare(recorded, _arms((50, 0, 50), (50, 0, 50)))
    assert comparison.first_decided is None
    assert "No difference is shown yet" in comparison.summary and "fewer to" in comparison.summary
    assert "may be equally good" in comparison.still_needed or "look equally good" in comparison.still_needed


def test_the_outlook_is_a_range_of_games_and_days(recorded: Recorded) -> None:
    """The rate is that of the last 200 games until now; a pause lowers it."""
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


def _series(*minutes: int) -> Series:
    """Return a series of games that end these minutes after the start."""
    game = msgspec.convert(msgspec.structs.asdict(OUTCOME), Game, from_attributes=True)
    ends = [START + timedelta(minutes=each) for each in minutes]
    return Series(None, [msgspec.structs.replace(game, ended_at=end) for end in ends])


def test_the_last_change_is_the_begin_of_the_newest_series() -> None:
    """An arm that was never changed has none, whenever its games began."""
    old, newer, newest = _series(1, 2), _series(3, 4), _series(5, 6)
    assert last_change([[old], [newest]]) is None
    assert last_change([[old, newer, newest], [_series(9)]]) == START + timedelta(minutes=5)
    assert last_change([[old, newer], [old, newest]]) == START + timedelta(minutes=5)


def test_few_games_are_not_extrapolated(recorded: Recorded) -> None:
    """Below 30 games of an arm the words name what each arm has."""
    comparison = _compare(recorded, _arms((10, 0, 2), (3, 0, 9)))
    assert comparison.still_needed == (
        "Each arm needs at least 30 games before anything is decided: blue has 12 and green has 12."
    )
