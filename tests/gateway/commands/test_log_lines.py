"""The log for people: its events in aligned columns."""

import re
from pathlib import Path
from typing import Any

import pytest

from battlesnake_search.common.logs import TextRenderer
from gateway.commands.log_lines import LAYOUTS
from tests.gateway import scripted_searcher
from tests.gateway.clients import metrics_with, post_move
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.logs import capture_logs

TWO_ARMS = """
[[snakes]]
path = "/"
arms = [{ name = "balanced" }, { name = "area", weight = 0 }]
shadows = [{ name = "next" }]
"""


def _text(line: dict[str, Any]) -> str:
    renderer = TextRenderer(LAYOUTS, colored=False)
    shown = line | {"level": line["log_level"], "timestamp": "17:42:07"}
    del shown["log_level"]
    return renderer(shown).removeprefix("17:42:07 ")


def _line(event: str, **fields: Any) -> str:
    usual = {"event": event, "log_level": "info", "snake": "hydra", "arm": "default"}
    return _text(usual | {"arms": 1} | fields)


def _move(**fields: Any) -> str:
    """Return the text of a move that differs in these fields from a usual one."""
    found = {"score": 0.2104, "depth": 12, "nodes": 1_218_048, "source": "search", "time_left_ms": 43.3}
    return _line("move", **{"move": "right"} | found | fields)


def _reflex(level: str, calls: int = 1) -> str:
    """Return the text of a move without a search."""
    failed = {"failed_calls": calls, "last_failure": "INVALID_ARGUMENT: not now"}
    return _line("move", log_level=level, move="up", source="reflex", time_left_ms=400.0, **failed)


def test_columns_can_be_read_down() -> None:
    """Moves of different snakes, scores, depths, nodes and times have their columns in one place."""
    lines = [
        _move(),
        _move(snake="s", move="up", score=-1.0, depth=3, nodes=57, time_left_ms=443.9),
        _move(snake="A name of thirty characters...", score=-0.0004, depth=120, nodes=83_412),
        _move(time_left_ms=-12.2, nodes=834_120, depth=1),
    ]
    assert [re.sub(" +", " ", line) for line in lines] == [
        "hydra -> right +0.21 d12 1.2M 43 ms left",
        "s -> up -1.00 d3 57 444 ms left",
        "A name of th… -> right +0.00 d120 83k 43 ms left",
        "hydra -> right +0.21 d1 834k 12 ms late",
    ]
    for mark in ("->", " d1", " ms "):
        assert len({line.index(mark) for line in lines if mark in line}) == 1


def test_an_unusual_fact_is_told() -> None:
    """One of several arms and a search that was not finished are named after the time."""
    assert _move(depth=1, forced=True).endswith("43 ms left  forced")
    both = _move(source="best-so-far", arm="area", arms=2)
    assert both.endswith("43 ms left  best-so-far (area)")


def test_a_refused_move_tells_its_reason_once() -> None:
    """The warning has the whole reason; the moves after it have its code."""
    first, later, repeated = _reflex("warning"), _reflex("info"), _reflex("info", calls=3)
    assert first.startswith("WARNING ") and first.endswith(" 400 ms left  INVALID_ARGUMENT: not now")
    assert re.search(r"-> up +reflex +400 ms left  INVALID_ARGUMENT$", later)
    assert repeated.endswith("3 failed calls, INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("event", "fields", "shown"),
    [
        ("game started", {"map": "standard"}, "game started: solo, 4 snakes, 500 ms"),
        ("game started", {"map": "royale"}, "game started: solo on royale, 4 snakes, 500 ms"),
        ("game ended", {"result": "win", "place": 1}, "game ended: win, place 1, 1 snake left"),
        ("game ended", {"result": None, "place": None}, "game ended: no result, 1 snake left"),
        ("late answer", {"latency_ms": 500}, "received this turn's answer too late: 500 of 500 ms"),
        ("late answer", {"latency_ms": 0}, "the engine received this turn's answer too late"),
    ],
)
def test_a_game_is_told_in_words(event: str, fields: dict[str, Any], shown: str) -> None:
    """The first line of a game has its rules, map, snakes and timeout, and the last line its result."""
    game = {"ruleset": "solo", "snakes": 4, "snakes_left": 1, "timeout_ms": 500}
    assert _line(event, **game | fields).rstrip().endswith(shown)


async def test_a_shadow_stands_in_the_columns_of_moves(tmp_path: Path) -> None:
    """The lines of a real move and of its shadow have the same columns."""
    routes = tmp_path / "routes.toml"
    routes.write_text(TWO_ARMS)
    with capture_logs() as lines:
        async with (
            scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
            scripted_searcher.gateway(target, routes=routes) as client,
        ):
            await post_move(client, body())
            await metrics_with(client, "gateway_shadow_moves_total{")
    texts = [_text(dict(line)) for line in lines if line["event"] in ("move", "shadow")]
    move, shadow = sorted(texts, key=lambda text: "~ next" in text)
    assert move.endswith("(balanced)")
    assert re.search(r" ~ next +-> up +\+0\.25 +d2 +the same$", shadow)
    for mark in ("->", "+0.25", "d2"):
        assert move.index(mark) == shadow.index(mark)
