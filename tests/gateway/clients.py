"""The requests of tests to a gateway over HTTP."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Gateway, Script, ScriptedService

PATIENCE = 20.0
"""Seconds: far more than anything here takes on a busy machine."""


async def post_move(client: Gateway, sent: dict[str, Any], path: str = "/move", **headers: str) -> str:
    """Return the move that the gateway answers."""
    async with client.post(path, json=sent, headers=headers) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


async def read_metrics(client: Gateway) -> str:
    """Return the metrics in Prometheus' text format."""
    async with client.get("/metrics") as answer:
        return await answer.text()


async def metrics_with(client: Gateway, text: str) -> str:
    """Wait until the metrics contain a text; return them."""
    async with asyncio.timeout(PATIENCE):
        while text not in (metrics := await read_metrics(client)):
            await asyncio.sleep(0.02)
    return metrics


@asynccontextmanager
async def playing(script: Script, strategy: str = "") -> AsyncIterator[Gateway]:
    """Serve a gateway in front of a searcher that follows the script; yield a client."""
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        scripted_searcher.gateway(target, strategy) as client,
    ):
        yield client


async def timed_move(client: Gateway, sent: dict[str, Any]) -> tuple[str, float]:
    """Return the answered move, and the seconds that it took."""
    now = asyncio.get_running_loop().time
    started = now()
    return await post_move(client, sent), now() - started


async def move_by(script: Script, sent: dict[str, Any]) -> tuple[str, float, str]:
    """Return a move by a searcher that follows the script, the seconds, and the metrics after it."""
    async with playing(script) as client:
        move, seconds = await timed_move(client, sent)
        # A move is counted after its answer has left.
        return move, seconds, await metrics_with(client, "gateway_arm_moves_total{")
