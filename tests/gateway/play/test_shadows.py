"""Shadows alongside moves, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from battlesnake_search.contract import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE, metrics_with, post_move
from tests.gateway.scripted_searcher import Context, Gateway, Script, ScriptedService, body
from tests.support.logs import capture_logs

SLOW_MACHINE = 0.5
"""Seconds that a busy machine may add."""


@asynccontextmanager
async def _playing(
    folder: Path, played: Script, shadowed: Script
) -> AsyncIterator[tuple[Gateway, ScriptedService]]:
    """Serve a gateway whose searcher is shadowed by another one; yield a client and the shadow."""
    service = ScriptedService(shadowed)
    async with (
        scripted_searcher.searcher(ScriptedService(played)) as own,
        scripted_searcher.searcher(service) as other,
    ):
        file = folder / "routes.toml"
        file.write_text(
            '[[snakes]]\npath = "/"\narms = [{ name = "main" }]\n[[snakes.shadows]]\nname = "dark"\n'
            f'strategy = "s/e"\nsearcher = "{other}"\nlimits = {{ depth = 7 }}\n'
        )
        async with scripted_searcher.gateway(own, routes=file) as client:
            yield client, service


async def _left_at_depth_9(
    _request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    answer = scripted_searcher.response(search_pb2.DIRECTION_LEFT, depth=9, final=True)
    answer.result.score = 0.123456
    yield answer


async def test_a_shadow_is_recorded_but_not_played(tmp_path: Path) -> None:
    """The shadow gets the position by its own plan; its answer is logged with the move, and counted."""
    with capture_logs() as lines:
        async with _playing(tmp_path, scripted_searcher.at_once, _left_at_depth_9) as (client, shadow):
            assert await post_move(client, body()) == "up"
            metrics = await metrics_with(client, "gateway_shadow_moves_total{")
    [request], [headers] = shadow.requests, shadow.headers
    assert (request.limits.depth, request.strategy.search, headers["x-arm"]) == (7, "s", "dark")
    assert 'gateway_shadow_moves_total{agreement="no",arm="main",shadow="dark",snake="/"} 1.0' in metrics
    assert 'gateway_shadow_depth_sum{shadow="dark",snake="/"} 9.0' in metrics
    [line] = [line for line in lines if line["event"] == "shadow"]
    expected = {
        "arm": "main",
        "shadow": "dark",
        "played_move": "up",
        "played_depth": 2,
        "shadow_move": "left",
    }
    assert line.items() >= (expected | {"shadow_depth": 9, "shadow_score": 0.1235, "turn": 42}).items()


async def test_too_many_shadows_are_dropped(tmp_path: Path) -> None:
    """Beyond a number of hanging searches positions are dropped, and counted."""
    async with _playing(tmp_path, scripted_searcher.at_once, scripted_searcher.never) as (client, shadow):
        moves = await asyncio.gather(
            *(post_move(client, body(id=str(number), timeout=60_000)) for number in range(90))
        )
        assert set(moves) == {"up"}
        await metrics_with(client, 'gateway_shadow_drops_total{shadow="dark",snake="/"} 26.0')
        assert len(shadow.requests) <= 64


async def test_a_gateway_ends_without_waiting_for_shadows(tmp_path: Path) -> None:
    """The searches of shadows are cancelled when the gateway ends."""
    now = asyncio.get_running_loop().time
    async with _playing(tmp_path, scripted_searcher.at_once, scripted_searcher.never) as (client, shadow):
        async with client.post("/move", json=body(timeout=60_000)) as answer:
            assert answer.status == 200
        async with asyncio.timeout(PATIENCE):
            while not shadow.requests:
                await asyncio.sleep(0.01)
        ending = now()
    assert now() - ending < 5
