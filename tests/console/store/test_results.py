"""The filter of recorded games, and the counts of their results."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from console.store.assembly import summary_of
from console.store.records import Fallen
from console.store.results import Results, Wanted
from console.store.values import GameSnake, Summary
from tests.console.store.game_samples import header_with

NOW = datetime(2026, 1, 2, tzinfo=UTC)
OURS = GameSnake("a", "one", ours=True, experiment="hunger", arm="greedy")


def _game(
    winner: str | None,
    cause: str = "",
    idle: float | None = None,
    opponent: str = "Bob",
    ruleset: str = "standard",
) -> Summary:
    """Return a game of our snake "a" against the snake "b"."""
    played = header_with(
        ruleset=ruleset,
        snakes=[OURS, GameSnake("b", opponent)],
        ended_at=NOW if idle is None else None,
        winner=winner,
        deaths=[Fallen("a", cause, "b")] if cause else [],
    )
    return summary_of(played, idle)


def _counted(*games: Summary) -> Any:
    """Return the results of games as the API has them."""
    results = Results()
    for game in games:
        results.add(game)
    return msgspec.to_builtins(results.as_json())


LOST = _game("b", "wall-collision")
WON = _game("a", opponent="Zoë")
DRAWN = _game(None, "head-collision", ruleset="royale")
LIVE = _game(None, idle=40.0)
GAMES = {"lost": LOST, "won": WON, "drawn": DRAWN, "live": LIVE}


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, {"lost", "won", "drawn", "live"}),
        ({"state": "playing"}, {"live"}),
        ({"opponent": "ZOË"}, {"won"}),
        ({"opponent": "bo"}, {"lost", "drawn", "live"}),
        ({"result": "win"}, {"won"}),
        ({"result": "none"}, {"live"}),
        ({"arm": "hunger/greedy"}, {"lost", "won", "drawn", "live"}),
        ({"arm": "greedy"}, set()),
        ({"cause": "wall-collision"}, {"lost"}),
        ({"cause": "head-collision", "result": "loss"}, set()),
        ({"mode": "royale"}, {"drawn"}),
        ({"q": "roya"}, {"drawn"}),
        ({"q": "nobody"}, set()),
    ],
)
def test_a_filter_admits_games(wanted: dict[str, str], found: set[str]) -> None:
    """All filled fields have to fit, and all of those about a snake fit the same snake of ours."""
    assert {name for name, game in GAMES.items() if Wanted(**wanted).admits(game)} == found


def test_results_are_counted_by_arm_opponent_and_cause() -> None:
    """The rows with most games come first, and a game without an end has no result."""
    found = _counted(*GAMES.values())
    assert found["games"] == 4
    assert found["arms"] == [{"name": "hunger/greedy", "win": 1, "draw": 1, "loss": 1, "none": 1}]
    assert found["opponents"] == [
        {"name": "Bob", "win": 0, "draw": 1, "loss": 1, "none": 1},
        {"name": "Zoë", "win": 1, "draw": 0, "loss": 0, "none": 0},
    ]
    assert {each["name"] for each in found["causes"]} == {"wall-collision", "head-collision"}
    assert {each["name"]: each["games"] for each in found["modes"]} == {"standard": 3, "royale": 1}
