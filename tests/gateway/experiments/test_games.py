"""The games that count in an experiment, and the reasons why others don't."""

import asyncio
from typing import Any

import pytest

from gateway.experiments.games import Game, read_games
from gateway.experiments.report import report
from tests.gateway.conftest import Recorded
from tests.gateway.store.outcome_samples import outcome_with


def _game(recorded: Recorded, **fields: Any) -> Game:
    [game] = asyncio.run(read_games(recorded([outcome_with(**fields)])))
    return game


def _kind(game: Game) -> str:
    kinds = {"counts": game.counts, "not seen": game.is_unseen, "unfinished": game.is_unfinished}
    return ", ".join(kind for kind, is_it in kinds.items() if is_it)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "counts"),
        ({"moves": 50, "last_turn": 99}, "counts"),
        ({"moves": 49, "last_turn": 99}, "not seen"),
        ({"moves": 50, "turns": 100}, "counts"),
        ({"moves": 49, "turns": 100}, "not seen"),
        ({"moves": 1, "turns": 100, "result": "loss", "place": 2}, "counts"),
        ({"moves": 0, "turns": 100, "result": "loss", "place": 2}, "not seen"),
        ({"moves": 1, "last_turn": 1, "turns": 100, "result": "loss"}, "counts"),
        ({"moves": 0, "last_turn": None, "turns": 0}, "not seen"),
        ({"seen_from": 1}, "not seen"),
        ({"seen_from": None, "moves": 0}, "not seen"),
        ({"ended": False}, "unfinished"),
        ({"ended": False, "seen_from": 3}, "unfinished"),
        ({"drawn": False}, ""),
        ({"drawn": False, "seen_from": 3}, ""),
        ({"game_id": "test-1", "seen_from": 3}, ""),
    ],
)
def test_a_game_counts_if_the_gateways_saw_it(recorded: Recorded, fields: dict[str, Any], kind: str) -> None:
    """They see its first turn and its end, and answer at least half of its moves."""
    assert _kind(_game(recorded, **fields)) == kind


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
