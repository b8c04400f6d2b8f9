"""One game of a snake from the outcomes of several gateways."""

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest

from battlesnake_search.record.outcome import Outcome, ShadowRecord, StrategyRecord
from console.experiments.games import games_of
from tests.console.store.outcome_samples import OUTCOME, outcome_with

EARLIER = OUTCOME.ended_at - timedelta(hours=1)


def _merged(*outcomes: Outcome) -> list[dict[str, Any]]:
    return [msgspec.to_builtins(game, builtin_types=(datetime,)) for game in games_of(outcomes)]


def _part(part: str, **fields: Any) -> Outcome:
    return outcome_with(part=part, **fields)


def test_moves_of_all_views_add_up() -> None:
    """The view of the end has the result; the view of the beginning has the opponents; means have weights."""
    begun = _part(
        "a",
        ended=False,
        ended_at=EARLIER,
        result=None,
        place=None,
        turns=98,
        moves=60,
        last_turn=98,
        moves_searched=50,
        moves_best_so_far=9,
        moves_failed=10,
        died_late=None,
        opponents=["you", "they"],
        timeouts=1,
        mean_depth=4.0,
        mean_latency_ms=100.0,
        shadows={"next": ShadowRecord("s", 30, 10, 6.0, 0.0, 8.0, 0.5)},
        searched={"one": StrategyRecord({}, "1")},
    )
    ended = _part(
        "b",
        seen_from=3,
        moves=20,
        last_turn=97,
        moves_searched=20,
        moves_best_so_far=1,
        moves_failed=0,
        died_late=True,
        timeouts=2,
        mean_depth=8.0,
        mean_latency_ms=200.0,
        shadows={"next": ShadowRecord("s", 10, 10, 10.0, 1.0, 12.0, 0.5)},
        searched={"two": StrategyRecord({}, "2")},
    )
    [game] = _merged(ended, begun)
    expected = {
        **{"result": "win", "place": 1, "turns": 100, "ended": True, "drawn": True},
        **{"moves": 80, "timeouts": 3, "seen_from": 0, "last_turn": 98, "opponents": ["you", "they"]},
        **{"mean_depth": 5.0, "mean_latency_ms": 125.0},
        **{"moves_searched": 70, "moves_best_so_far": 10, "moves_stand_in": 0, "moves_failed": 10},
        "died_late": True,
    }
    assert {name: game[name] for name in expected} == expected
    assert game["ended_at"] == OUTCOME.ended_at
    assert set(game["searched"]) == {"one", "two"}
    [shadow] = game["shadows"].values()
    assert (shadow["compared"], shadow["agreed"]) == (40, 20)
    assert (shadow["mean_depth"], shadow["mean_score"], shadow["played_mean_depth"]) == (7.0, 0.25, 9.0)


@pytest.mark.parametrize(
    "other",
    [
        {"drawn": False},
        {"arm": "other"},
        {"setup": "other"},
        {"searched": {"paranoid/balanced": StrategyRecord({}, "other")}},
    ],
    ids=["not drawn", "arm", "setup", "digest"],
)
def test_a_game_is_drawn_if_all_views_agree(other: dict[str, Any]) -> None:
    """One view of another arm, setup or digest makes a game that does not count."""
    [game] = _merged(_part("a"), _part("b", **other))
    assert not game["drawn"]


def test_views_without_moves_or_an_end_take_nothing_away() -> None:
    """Values unknown to all views are None, and a game without an end is unfinished."""
    nothing: dict[str, Any] = {
        **{"moves": 0, "timeouts": None, "mean_depth": None, "seen_from": None, "ended": False},
        **{"result": None, "place": None, "searched": None, "shadows": {}},
    }
    found = _merged(
        _part("a", game_id="seen"),
        _part("b", game_id="seen", ended_at=EARLIER, **nothing),
        _part("a", game_id="unseen", **nothing),
        _part("b", game_id="unseen", **nothing),
    )
    by_id = {game["game_id"]: game for game in found}
    assert by_id["seen"]["ended"] and by_id["seen"]["mean_depth"] == 7.5 and by_id["seen"]["timeouts"] == 0
    unseen = by_id["unseen"]
    assert not unseen["ended"] and (unseen["moves"], unseen["seen_from"], unseen["last_turn"]) == (
        0,
        None,
        None,
    )
    assert (unseen["timeouts"], unseen["mean_depth"], unseen["searched"]) == (None, None, None)
