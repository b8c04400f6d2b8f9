"""The report on recorded experiments."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from battlesnake_search.record.events import PlayedArm
from battlesnake_search.record.outcome import ShadowRecord, StrategyRecord
from console.experiments.comparison import ArmComparison
from console.experiments.report import Experiment, experiments_of, report
from console.store.recorder import header_of, own
from console.store.records import game_row
from console.store.store import Store
from tests.console.conftest import Recorded
from tests.console.experiments.duels import OLDER, begun, duels
from tests.console.store.outcome_samples import OUTCOME, outcome_with, turn_of
from tests.gateway.scripted_searcher import body


def _report(url: str) -> list[Experiment]:
    return asyncio.run(report(url))


def test_each_arm_is_counted(recorded: Recorded) -> None:
    """Wins, draws, losses and games without a known result add up; a draw is half a win in the score."""
    solo = outcome_with(**OLDER, experiment="x", arm="blue", strategy="other", result=None, place=None)
    [experiment] = _report(recorded([*duels("x", "blue", 5, 2, 3), solo]))
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.draws, arm.losses, arm.unknown) == (11, 5, 2, 3, 1)
    assert arm.score == 0.6 and arm.strategies == ["other", "paranoid/blue"]
    assert arm.win_share is not None and arm.win_share.value == 0.5
    assert experiment.comparison is None


HALVES = {"champion": 0.5, "challenger": 0.5}


def test_an_arm_that_waits_for_its_first_game_is_listed(recorded: Recorded) -> None:
    """An arm of the last game's draw has no games yet, and there is nothing to compare."""
    draw: dict[str, Any] = {"control": "champion", "shares": HALVES}
    [experiment] = _report(recorded(duels("x", "champion", 2, 0, 1, **draw)))
    assert [(arm.name, arm.games, arm.score) for arm in experiment.arms] == [
        ("challenger", 0, None),
        ("champion", 3, pytest.approx(2 / 3)),
    ]
    assert experiment.comparison is None and experiment.control == "champion"


def test_a_challenger_is_compared_with_the_control(recorded: Recorded) -> None:
    """The difference is the challenger's score less the control's, whatever their names."""
    for control, challenger, value in (("champion", "challenger", 0.25), ("challenger", "champion", -0.25)):
        draw: dict[str, Any] = {"control": control, "shares": HALVES}
        games = [*duels(control, "champion", 1, 0, 3, **draw), *duels(control, "challenger", 2, 0, 2, **draw)]
        [experiment] = [one for one in _report(recorded(games)) if one.name == control]
        assert experiment.comparison is not None and experiment.comparison.difference is not None
        assert experiment.comparison.arms == (challenger, control) and experiment.control == control
        assert experiment.comparison.difference.value == value


def test_games_that_only_test_a_snake_are_told_apart(recorded: Recorded) -> None:
    """Games with a reserved id change nothing but their number."""
    games = [*duels("x", "blue", 10, 0, 30), *duels("x", "green", 30, 0, 10)]
    [plain] = _report(recorded(games))
    [experiment] = _report(
        recorded(
            outcome_with(game_id=f"{TEST_GAME_PREFIX}{number}", experiment="x", arm="blue", result="win")
            for number in range(31)
        )
    )
    assert [arm.test_games for arm in experiment.arms] == [31, 0]
    assert (experiment.comparison, experiment.sample_ratio) == (plain.comparison, plain.sample_ratio)
    assert [replace(arm, test_games=0) for arm in experiment.arms] == plain.arms


def _played(digest: str) -> dict[str, Any]:
    return {"setup": "s", "searched": {"s/e": StrategyRecord({"x": 1.0}, digest)}, "shares": HALVES}


def test_a_change_begins_a_new_series(recorded: Recorded) -> None:
    """Games before an arm's change are no part of its results, but listed as an earlier series."""
    old, new = (_played(digest) | {"shares": {"blue": 1.0}} for digest in ("old", "new"))
    games = [*duels("x", "blue", 30, 0, 0, **old), *duels("x", "blue", 5, 0, 5, start=30, **new)]
    [experiment] = _report(recorded(games))
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.losses, arm.score) == (10, 5, 5, 0.5)
    assert arm.searched == _played("new")["searched"]
    [earlier] = arm.earlier
    assert (earlier.games, earlier.wins, earlier.score) == (30, 30, 1.0)
    assert earlier.searched == _played("old")["searched"]
    assert earlier.until is not None and arm.since is not None and earlier.until < arm.since


def test_arms_are_compared_since_the_last_change_of_either(recorded: Recorded) -> None:
    """After a change of one arm, the earlier games of the other don't count in the comparison."""
    draw = _played("same") | {"control": "champion", "shares": HALVES}
    changed = {arm: draw | _played(f"{arm} of today") for arm in ("champion", "challenger")}
    [experiment] = _report(
        recorded(
            [
                *duels("x", "champion", 40, 0, 0, **draw),
                *duels("x", "challenger", 40, 0, 0, **draw),
                *duels("x", "champion", 10, 0, 10, start=40, **draw),
                *duels("x", "challenger", 15, 0, 5, start=40, **changed["challenger"]),
            ]
        )
    )
    challenger, champion = experiment.arms
    assert (challenger.games, champion.games) == (20, 60)
    assert experiment.comparison is not None and experiment.comparison.difference is not None
    assert experiment.comparison.games == (20, 20)
    assert experiment.comparison.difference.value == pytest.approx(0.25)
    assert experiment.sample_ratio is not None
    assert experiment.sample_ratio.games == {"challenger": 20, "champion": 20}


def test_games_whose_arm_was_not_drawn_are_only_counted(recorded: Recorded) -> None:
    """Games whose arm was named change no results, and no comparison."""
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
    assert [(arm.wins, arm.score) for arm in experiment.arms[2:]] == [
        (arm.wins, arm.score) for arm in plain.arms
    ]
    assert [(arm.wins, arm.unknown, arm.win_share) for arm in experiment.arms[:2]] == [(0, 0, None)] * 2


def test_shadows_are_summed_up_by_arm(recorded: Recorded) -> None:
    """Every position has the same weight, whether the arm of its game was drawn or not."""
    seen = {
        "long": ShadowRecord("s/e", 30, 15, 8.0, 0.5, 9.0, 0.75),
        "short": ShadowRecord("s/e", 10, 10, 4.0, 0.25, 1.0, 0.5),
    }
    games = [
        outcome_with(game_id=game, arm="blue", shadows={"next": shadow}, drawn=game == "long", shares=None)
        for game, shadow in seen.items()
    ]
    other = outcome_with(
        game_id="other",
        arm="green",
        shadows={"next": ShadowRecord("s/f", 5, 5, 3.0, 0.0, 3.0, 0.0)},
        shares=None,
    )
    none = outcome_with(game_id="none", arm="green", shadows={}, shares=None)
    [experiment] = _report(recorded([*games, other, none]))
    [blue], [green] = [arm.shadows for arm in experiment.arms]
    assert (blue.name, blue.strategies, blue.games, blue.positions) == ("next", ["s/e"], 2, 40)
    assert (blue.agreement, blue.mean_depth, blue.mean_score) == (25 / 40, 7.0, 0.4375)
    assert (blue.played_mean_depth, blue.played_mean_score) == (7.0, 0.6875)
    assert (green.strategies, green.games, green.agreement) == (["s/f"], 1, 1.0)


def test_games_count_in_the_order_in_which_they_began() -> None:
    """A long game comes before the short games that began after it, in the history and in the series."""
    games = [begun(number, minutes=20 if number == 2 else 1) for number in range(6)]
    [experiment] = experiments_of(games, [], games[-1].ended_at)
    assert experiment.comparison is not None
    history = experiment.comparison.history
    assert [sum(moment.games) for moment in history] == [2, 3, 4, 5, 6]
    # Until the long game has ended, no moment includes it or the games after it.
    assert [moment.at for moment in history] == [games[1].ended_at, *[games[2].ended_at] * 4]


def test_a_running_game_holds_back_the_games_after_it(recorded: Recorded) -> None:
    """The gateway's record of running games is read. A game without an end holds others back for a while."""
    url, began = recorded([outcome_with(**OLDER, **fields) for fields in _begun(range(8))]), OUTCOME.ended_at
    turn = turn_of(body("standard-move-mid-42"))
    arm = PlayedArm("x", "blue", "")
    header = header_of(turn)
    header.id, header.seen_at = "running", began + timedelta(minutes=4.5)
    header.snakes = [own(snake, arm) if snake.id == turn.you.id else snake for snake in header.snakes]

    async def report_at(minutes: float) -> ArmComparison:
        [experiment] = await report(url, began + timedelta(minutes=minutes))
        assert experiment.comparison is not None
        return experiment.comparison

    async def reports() -> list[ArmComparison]:
        before = await report_at(10)
        async with Store(url) as store:
            await store.add([game_row(header)])
            waits = await report_at(10)
            late = await report_at(35)
            await store.add([outcome_with(**OLDER, game_id="running", experiment="x", arm="blue")])
        return [before, waits, late, await report_at(10)]

    found = [(sum(one.games), one.waiting) for one in asyncio.run(reports())]
    assert found == [(8, 0), (5, 3), (8, 0), (9, 0)]


def _begun(numbers: Iterable[int]) -> Iterator[dict[str, Any]]:
    fields = ("game_id", "experiment", "arm", "began_at", "ended_at")
    for number in numbers:
        game = begun(number, minutes=1)
        yield {name: getattr(game, name) for name in fields}
