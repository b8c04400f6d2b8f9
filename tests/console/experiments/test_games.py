"""The games that count in an experiment, the reasons why others don't, and the series that they form."""

import asyncio
from typing import Any

import msgspec
import pytest

from battlesnake_search.record.outcome import StrategyRecord
from console.experiments.games import Game, split
from console.experiments.report import report
from tests.console.conftest import Recorded
from tests.console.experiments.duels import GAME
from tests.console.store.outcome_samples import outcome_with


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "counts"),
        ({"moves": 50, "last_turn": 99}, "counts"),
        ({"moves": 49, "last_turn": 99}, "not_seen"),
        ({"moves": 50, "turns": 100}, "counts"),
        ({"moves": 49, "turns": 100}, "not_seen"),
        ({"moves": 1, "turns": 100, "result": "loss", "place": 2}, "counts"),
        ({"moves": 0, "turns": 100, "result": "loss", "place": 2}, "not_seen"),
        ({"moves": 1, "last_turn": 1, "turns": 100, "result": "loss"}, "counts"),
        ({"moves": 0, "last_turn": None, "turns": 0}, "not_seen"),
        ({"seen_from": 1}, "not_seen"),
        ({"seen_from": None, "moves": 0}, "not_seen"),
        ({"ended": False}, "unfinished"),
        ({"ended": False, "seen_from": 3}, "unfinished"),
        ({"drawn": False}, "not_drawn"),
        ({"drawn": False, "seen_from": 3}, "not_drawn"),
        ({"game_id": "test-1", "seen_from": 3}, "test"),
    ],
)
def test_a_game_counts_if_the_gateways_saw_it(fields: dict[str, Any], kind: str) -> None:
    """They see its first turn and its end, and answer at least half of its moves."""
    assert msgspec.structs.replace(GAME, **fields).kind == kind


def test_the_report_shows_what_does_not_count(recorded: Recorded) -> None:
    """Each arm has the numbers of games that are not seen and unfinished; no other number has them."""
    outcomes = [
        outcome_with(game_id="counts"),
        *(outcome_with(game_id=f"unseen {number}", seen_from=2, result="loss") for number in range(2)),
        *(outcome_with(game_id=f"unfinished {number}", ended=False, result=None) for number in range(3)),
        outcome_with(game_id="forced", drawn=False),
        outcome_with(game_id="test-1"),
    ]
    [experiment] = asyncio.run(report(recorded(outcomes)))
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.losses, arm.unknown) == (1, 1, 0, 0)
    assert (arm.not_seen, arm.unfinished, arm.not_drawn, arm.test_games) == (2, 3, 1, 1)


def _game(setup: str | None, **digests: str) -> Game:
    searched = {name: StrategyRecord({}, digest) for name, digest in digests.items()}
    return msgspec.structs.replace(GAME, setup=setup, searched=searched)


@pytest.mark.parametrize(
    ("games", "sizes"),
    [
        ([_game("s", a="1"), _game("s", a="1")], [2]),
        ([_game("s", a="1"), _game("t", a="1")], [1, 1]),
        ([_game("s", a="1"), _game("s", a="2"), _game("s", a="2")], [1, 2]),
        ([_game("s", a="1"), _game("s", a="2"), _game("s", a="1")], [1, 2]),
        ([_game("s", a="1"), _game("s", b="1"), _game("s", a="1", b="1")], [3]),
        ([_game("s", a="1", b="1"), _game("s", b="2"), _game("s", a="1", b="2")], [1, 2]),
        ([_game("s", auto="1", a="1"), _game("s", auto="2", b="1"), _game("s", auto="1", b="1")], [1, 2]),
        ([_game("s", a="1"), _game("s")], [2]),
        ([_game("s"), _game("s", a="1"), _game("s", a="2")], [2, 1]),
        ([_game(None), _game("s", a="1"), _game("s", a="1")], [1, 2]),
    ],
    ids=[
        "the same",
        "another setup",
        "another code",
        "changed back",
        "other conditions",
        "one of two strategies changed",
        "other rules of auto",
        "no move was searched",
        "the first game had no search",
        "older games",
    ],
)
def test_a_change_begins_a_series(games: list[Game], sizes: list[int]) -> None:
    """Games are of one series if they have the same setup, and played their common strategies alike."""
    assert [len(series.games) for series in split(games)] == sizes
