"""What is said of recorded experiments."""

import asyncio

import pytest

from gateway.experiments.report import Experiment, report
from tests.gateway.experiments.conftest import Recorded
from tests.gateway.experiments.played import duels
from tests.gateway.outcomes.endings import some


def _report(url: str) -> list[Experiment]:
    return asyncio.run(report(url))


def test_each_arm_is_counted(recorded: Recorded) -> None:
    """Wins, draws, losses and games without a known result add up; a draw is half a win in the score."""
    solo = some(experiment="x", arm="blue", strategy="other", result=None, place=None)
    [experiment] = _report(recorded([*duels("x", "blue", 5, 2, 3), solo]))
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.draws, arm.losses, arm.unknown) == (11, 5, 2, 3, 1)
    assert arm.score == 0.6 and arm.strategies == ["other", "paranoid/blue"]
    assert arm.win_share is not None and arm.win_share.value == 0.5
    assert experiment.comparison is None and arm.rating is None


@pytest.mark.parametrize(
    ("blue", "green", "verdict"),
    [
        ((80, 0, 20), (40, 0, 60), "blue is better"),
        ((40, 0, 60), (70, 20, 10), "green is better"),
        ((50, 0, 50), (45, 0, 55), "undecided"),
    ],
)
def test_two_arms_are_compared(
    recorded: Recorded, blue: tuple[int, int, int], green: tuple[int, int, int], verdict: str
) -> None:
    """The difference of the scores has an interval, and the verdict is what it leaves."""
    [experiment] = _report(recorded([*duels("x", "blue", *blue), *duels("x", "green", *green)]))
    comparison = experiment.comparison
    assert comparison is not None and comparison.difference is not None
    assert comparison.arms == ("blue", "green") and comparison.verdict == verdict
    scores = [(wins + draws / 2) / 100 for wins, draws, _ in (blue, green)]
    assert comparison.difference.value == pytest.approx(scores[0] - scores[1])
    assert (comparison.difference.low <= 0 <= comparison.difference.high) == (verdict == "undecided")
    assert [arm.rating for arm in experiment.arms] == [None, None]


def test_more_arms_are_rated(recorded: Recorded) -> None:
    """Three arms have ratings, in the order of their results, and no comparison."""
    games = [*duels("x", "a", 10, 0, 30), *duels("x", "b", 20, 0, 20), *duels("x", "c", 30, 0, 10)]
    [experiment] = _report(recorded(games))
    mus = [arm.rating.mu for arm in experiment.arms if arm.rating]
    assert len(mus) == 3 and mus == sorted(mus)
    assert experiment.comparison is None


def test_experiments_are_apart(recorded: Recorded) -> None:
    """Arms of one name in two experiments have nothing to do with each other."""
    experiments = _report(recorded([*duels("y", "blue", 1, 0, 0), *duels("x", "blue", 0, 0, 2)]))
    assert [(one.name, one.arms[0].games) for one in experiments] == [("x", 2), ("y", 1)]


def test_games_of_arms_that_nobody_drew_are_left_out(recorded: Recorded) -> None:
    """What was asked for counts for no arm, and makes no experiment."""
    asked = [some(game_id=name, experiment=name, arm="blue", drawn=False) for name in ("x", "y")]
    [experiment] = _report(recorded([*asked, *duels("x", "blue", 1, 0, 2), *duels("x", "green", 1, 0, 0)]))
    assert [(arm.name, arm.games) for arm in experiment.arms] == [("blue", 3), ("green", 1)]


def test_a_game_without_known_result_decides_nothing(recorded: Recorded) -> None:
    """Two arms of nothing but such games have no shares and no difference."""
    unknown = [some(game_id=arm, arm=arm, result=None, place=None) for arm in ("blue", "green")]
    [experiment] = _report(recorded(unknown))
    assert [(arm.games, arm.win_share, arm.score) for arm in experiment.arms] == [(1, None, None)] * 2
    assert experiment.comparison is not None
    assert (experiment.comparison.difference, experiment.comparison.verdict) == (None, "undecided")
