"""The log for people: lines of real moves, as columns."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from battlesnake_search.common.logs import COLUMNS, TextRenderer
from battlesnake_search.contract import search_pb2
from gateway.commands.log_lines import LAYOUTS
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE
from tests.gateway.scripted_searcher import Context, ScriptedService, body, refusing, response
from tests.support.logs import capture_logs

ALWAYS = 1_000_000

TWO_ARMS = """
[[snakes]]
path = "/"
arms = [{ name = "balanced" }, { name = "area", weight = 0 }]
shadows = [{ name = "next" }]
"""


async def _texts(
    script: scripted_searcher.Script,
    *requests: tuple[str, dict[str, Any]],
    routes: Path | None = None,
    until: str = "",
) -> list[str]:
    """Return the lines for requests, each a path and a body, without the time.

    `until` is an event to wait for after the last request.
    """
    service = ScriptedService(script)
    async with scripted_searcher.searcher(service) as target:
        with capture_logs() as lines:
            async with scripted_searcher.gateway(target, routes=routes) as client:
                for path, sent in requests:
                    async with client.post(path, json=sent) as answer:
                        assert answer.status == 200
                async with asyncio.timeout(PATIENCE):
                    while until and until not in (line["event"] for line in lines):
                        await asyncio.sleep(0.01)
    return [_text(dict(line)) for line in lines if line["event"] in LAYOUTS]


def _text(line: dict[str, Any]) -> str:
    renderer = TextRenderer(LAYOUTS, colored=False)
    line |= {"level": line.pop("log_level"), "timestamp": "17:42:07"}
    return renderer(line).removeprefix("17:42:07 ")


def _named(name: str, **game: Any) -> dict[str, Any]:
    """Return a body whose snake has this name, and reports no latency."""
    sent = body(**game)
    sent["you"]["name"] = name
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "0"
    return sent


def _move(**fields: Any) -> str:
    """Return the text of a move that differs in these fields from a usual one."""
    usual = {"event": "move", "log_level": "info", "snake": "hydra", "arm": "default", "move": "right"}
    found = {"score": 0.2104, "depth": 12, "nodes": 1_218_048, "source": "search", "time_left_ms": 43.3}
    return _text(usual | found | {"text_only": {"arms": 1}} | fields)


async def test_a_move_is_one_short_line() -> None:
    """The line has the game, turn, snake, move, score, depth, nodes and time left, and no more."""
    [line] = await _texts(scripted_searcher.at_once, ("/move", _named("hydra")))
    start = f"{body()['game']['id'][:8]} t42  hydra "
    assert line.startswith(start)
    assert re.fullmatch(r" +-> up +\+0\.25 +d2 +20 +\d{3} ms left", line.removeprefix(start))


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


@pytest.mark.parametrize(("left", "shown"), [(0.0, "0 ms left"), (-0.6, "1 ms late"), (-1.0, "1 ms late")])
def test_the_time_is_left_or_late(left: float, shown: str) -> None:
    """An answer at the very end is in time."""
    assert _move(time_left_ms=left).endswith(shown)


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"snakes": 4, "map": "standard"}, "game started: solo, 4 snakes, 500 ms"),
        ({"snakes": 1, "map": ""}, "game started: solo, 1 snake, 500 ms"),
        ({"snakes": 2, "map": "royale"}, "game started: solo on royale, 2 snakes, 500 ms"),
    ],
)
def test_a_game_starts_on_its_map(fields: dict[str, Any], shown: str) -> None:
    """The standard map goes without saying."""
    started = {"event": "game started", "log_level": "info", "snake": "s", "arm": "a", "ruleset": "solo"}
    assert _text(started | {"timeout_ms": 500, "text_only": {"arms": 1}} | fields).endswith(shown)


def test_an_unusual_fact_is_told() -> None:
    """One of several arms and a search that was not finished are named after the time."""
    assert _move(arm="area", text_only={"arms": 2}).endswith("43 ms left  (area)")
    assert _move(source="best-so-far").endswith("43 ms left  best-so-far")
    assert _move(depth=1, forced=True).endswith("43 ms left  forced")
    both = _move(source="best-so-far", arm="area", text_only={"arms": 2})
    assert both.endswith("43 ms left  best-so-far (area)")


async def test_a_refused_move_tells_its_reason_once() -> None:
    """The warning has the whole reason; the moves after it have its code, and no columns of a search."""
    script = refusing(grpc.StatusCode.INVALID_ARGUMENT, ALWAYS)
    sent = _named("hydra")
    later = sent | {"turn": sent["turn"] + 2}
    first, second = await _texts(script, ("/move", sent), ("/move", later))
    assert first.startswith("WARNING ") and first.endswith(" ms left  INVALID_ARGUMENT: not now")
    assert re.search(r"-> \w+ +reflex +\d+ ms left  INVALID_ARGUMENT$", second)


async def test_a_game_starts_and_ends_in_words() -> None:
    """The first line of a game has its rules, map, snakes and timeout, and the last line its result."""
    map_, sent = "hz_spiral", _named("hydra", map="hz_spiral")
    end = sent | {"board": sent["board"] | {"snakes": [sent["you"]]}}
    started, ended = await _texts(scripted_searcher.at_once, ("/start", sent), ("/end", end))
    snakes = len(sent["board"]["snakes"])
    assert started.endswith(f"hydra         game started: standard on {map_}, {snakes} snakes, 500 ms")
    assert ended.endswith("hydra         game ended: win, place 1, 1 snake left")


async def test_a_late_answer_belongs_to_its_turn() -> None:
    """The warning has the turn before the one whose body reported it."""
    sent = _named("hydra")
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "500"
    late, _ = await _texts(scripted_searcher.at_once, ("/move", sent))
    assert late.startswith("WARNING ") and " t41 " in late
    assert late.endswith("hydra  the engine received this turn's answer too late: 500 of 500 ms")


async def test_a_shadow_stands_in_the_columns_of_moves(tmp_path: Path) -> None:
    """A shadow's move has the same columns, and the played move of the arm."""
    moves = iter((search_pb2.DIRECTION_UP, search_pb2.DIRECTION_LEFT))

    async def script(
        _request: search_pb2.StreamSearchRequest, _context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        yield response(next(moves), depth=7, final=True)

    routes = tmp_path / "routes.toml"
    routes.write_text(TWO_ARMS)
    lines = await _texts(script, ("/move", _named("hydra")), routes=routes, until="shadow")
    move, shadow = sorted(lines, key=lambda line: "~ next" in line)
    assert move.endswith("(balanced)")
    assert re.search(r" ~ next +-> left +\+0\.25 +d7 +instead of up$", shadow)
    for mark in ("->", "+0.25", "d7"):
        assert move.index(mark) == shadow.index(mark)


async def test_usual_lines_fit_a_hundred_columns(tmp_path: Path) -> None:
    """Lines of long names, arms and times end at the last column, the time of day included."""
    routes = tmp_path / "routes.toml"
    routes.write_text(TWO_ARMS.replace("balanced", "balanced-with-a-long-name").replace("next", "n" * 40))
    sent = _named("A name of thirty characters...", timeout=5000, map="arcade_maze")
    requests = [(path, sent) for path in ("/start", "/move", "/end")]
    lines = await _texts(scripted_searcher.one_depth_then_crash, *requests, routes=routes)
    assert len(lines) >= 3
    assert max(len(f"17:42:07 {line}") for line in lines) <= COLUMNS
