"""The report on recorded experiments."""

import asyncio

import pytest

from gateway.experiments.report import Experiment, report
from gateway.outcomes.record import ShadowRecord
from tests.gateway.experiments.conftest import Recorded
from tests.gateway.experiments.duels import duels
from tests.gateway.outcomes.samples import outcome_with


def _report(url: str) -> list[Experiment]:
    return asyncio.run(report(url))


def test_each_arm_is_counted(recorded: Recorded) -> None:
    """Wins, draws, losses and games without a known result add up; a draw is half a win in the score."""
    solo = outcome_with(experiment="x", arm="blue", strategy="other", result=None, place=None)
    [experiment] = _report(recorded([*duels("x", "blue", 5, 2, 3), solo]))
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.draws, arm.losses, arm.unknown) == (11, 5, 2, 3, 1)
    assert arm.score == 0.6 and arm.strategies == ["other", "paranoid/blue"]
    assert arm.win_share is not None and arm.win_share.value == 0.5
    assert experiment.comparison is None and arm.rating is None


@pytest.mark.parametrize(
    ("blue", "green", "decision"),
    [
        ((80, 0, 20), (40, 0, 60), "blue is better"),
        ((40, 0, 60), (70, 20, 10), "green is better"),
        ((50, 0, 50), (45, 0, 55), "undecided"),
    ],
)
def test_two_arms_are_compared(
    recorded: Recorded, blue: tuple[int, int, int], green: tuple[int, int, int], decision: str
) -> None:
    """The decision follows from the interval of the difference of the scores."""
    [experiment] = _report(recorded([*duels("x", "blue", *blue), *duels("x", "green", *green)]))
    comparison = experiment.comparison
    assert comparison is not None and comparison.difference is not None
    assert comparison.arms == ("blue", "green") and comparison.decision == decision
    scores = [(wins + draws / 2) / 100 for wins, draws, _ in (blue, green)]
    assert comparison.difference.value == pytest.approx(scores[0] - scores[1])
    assert (comparison.difference.low <= 0 <= comparison.difference.high) == (decision == "undecided")
    assert [arm.rating for arm in experiment.arms] == [None, None]


def test_more_arms_are_rated(recorded: Recorded) -> None:
    """Three arms have ratings in the order of their results, and no comparison."""
    games = [*duels("x", "a", 10, 0, 30), *duels("x", "b", 20, 0, 20), *duels("x", "c", 30, 0, 10)]
    [experiment] = _report(recorded(games))
    mus = [arm.rating.mu for arm in experiment.arms if arm.rating]
    assert len(mus) == 3 and mus == sorted(mus)
    assert experiment.comparison is None


def test_experiments_are_separate(recorded: Recorded) -> None:
    """Arms with the same name in two experiments are counted separately."""
    experiments = _report(recorded([*duels("y", "blue", 1, 0, 0), *duels("x", "blue", 0, 0, 2)]))
    assert [(one.name, one.arms[0].games) for one in experiments] == [("x", 2), ("y", 1)]


def test_games_whose_arm_was_not_drawn_are_only_counted(recorded: Recorded) -> None:
    """Games whose arm was named change no results, no comparison and no rating."""
    drawn = [*duels("x", "blue", 10, 0, 30), *duels("x", "green", 30, 0, 10)]
    named = [
        outcome_with(game_id=f"{arm} {n}", experiment="x", arm=arm, drawn=False)
        for arm in "ab"
        for n in range(3)
    ]
    named.append(outcome_with(game_id="one more", experiment="x", arm="blue", drawn=False))
    [plain], [experiment] = _report(recorded(drawn)), _report(recorded(named))
    counts = [(arm.name, arm.games, arm.not_drawn) for arm in experiment.arms]
    assert counts == [("a", 0, 3), ("b", 0, 3), ("blue", 40, 1), ("green", 40, 0)]
    assert experiment.comparison == plain.comparison
    assert [(arm.wins, arm.score, arm.rating) for arm in experiment.arms[2:]] == [
        (arm.wins, arm.score, arm.rating) for arm in plain.arms
    ]
    assert [(arm.wins, arm.unknown, arm.win_share) for arm in experiment.arms[:2]] == [(0, 0, None)] * 2


def test_shadows_are_summed_up_by_arm(recorded: Recorded) -> None:
    """Every position has the same weight, whether the arm of its game was drawn or not."""
    seen = {
        "long": ShadowRecord("s/e", 30, 15, 8.0, 0.5, 9.0, 0.75),
        "short": ShadowRecord("s/e", 10, 10, 4.0, 0.25, 1.0, 0.5),
    }
    games = [
        outcome_with(game_id=game, arm="blue", shadows={"next": shadow}, drawn=game == "long")
        for game, shadow in seen.items()
    ]
    other = outcome_with(
        game_id="other", arm="green", shadows={"next": ShadowRecord("s/f", 5, 5, 3.0, 0.0, 3.0, 0.0)}
    )
    [experiment] = _report(recorded([*games, other, outcome_with(game_id="none", arm="green", shadows={})]))
    [blue], [green] = [arm.shadows for arm in experiment.arms]
    assert (blue.name, blue.strategies, blue.games, blue.positions) == ("next", ["s/e"], 2, 40)
    assert (blue.agreement, blue.mean_depth, blue.mean_score) == (25 / 40, 7.0, 0.4375)
    assert (blue.played_mean_depth, blue.played_mean_score) == (7.0, 0.6875)
    assert (green.strategies, green.games, green.agreement) == (["s/f"], 1, 1.0)


def test_a_shadow_recorded_without_scores_is_shown_without_them(recorded: Recorded) -> None:
    """The means cover only the rows that have scores."""
    seen = {"old": ShadowRecord("s/e", 30, 15, 8.0), "new": ShadowRecord("s/e", 10, 10, 4.0, 0.25, 1.0, 0.5)}
    games = [outcome_with(game_id=game, shadows={"next": shadow}) for game, shadow in seen.items()]
    [experiment] = _report(recorded(games))
    [shadow] = experiment.arms[0].shadows
    assert (shadow.positions, shadow.agreement) == (40, 25 / 40)
    assert (shadow.mean_depth, shadow.mean_score, shadow.played_mean_depth) == (4.0, 0.25, 1.0)


def test_a_game_without_known_result_decides_nothing(recorded: Recorded) -> None:
    """Two arms with only such games have no shares and no difference."""
    unknown = [outcome_with(game_id=arm, arm=arm, result=None, place=None) for arm in ("blue", "green")]
    [experiment] = _report(recorded(unknown))
    assert [(arm.games, arm.win_share, arm.score) for arm in experiment.arms] == [(1, None, None)] * 2
    assert experiment.comparison is not None
    assert (experiment.comparison.difference, experiment.comparison.decision) == (None, "undecided")
