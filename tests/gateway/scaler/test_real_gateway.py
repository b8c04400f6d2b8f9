"""The scaler beside a real gateway that has no searcher."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from tests.gateway.gateway_process import answers, start
from tests.gateway.scaler.scaler import PATIENCE, ref, scaler
from tests.gateway.scripted_searcher import body
from tests.support import admin
from tests.support.services import free_port


@asynccontextmanager
async def gateway() -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    """Run a gateway whose searchers are not there; yield its address and a client."""
    address = f"127.0.0.1:{free_port()}"
    host, port = address.split(":")
    target = f"dns:///127.0.0.1:{free_port()}"
    process = await start("--host", host, "--port", port, "--searcher", target)
    try:
        async with aiohttp.ClientSession(f"http://{address}") as client:
            await asyncio.wait_for(answers(client, "/healthz"), PATIENCE)
            yield address, client
    finally:
        process.kill()
        await process.communicate()


async def _play(client: aiohttp.ClientSession, game: str) -> None:
    """Request a game's moves, one after another, for ever."""
    turn = body(id=game, timeout=500)
    for number in itertools.count(turn["turn"]):
        async with client.post("/move", json=turn | {"turn": number}) as answer:
            answer.raise_for_status()


async def test_games_without_a_searcher_ask_for_searches(tmp_path: Path) -> None:
    """A start wakes the searchers; the moves wait for about a search in each game; an end is an end."""
    token = tmp_path / "token"
    token.write_text(admin.TOKEN)
    async with (
        gateway() as (address, client),
        scaler(address, SCALER_TOKEN_FILE=str(token)) as under_test,
    ):
        stream = under_test.stub.StreamIsActive(ref({}), timeout=PATIENCE)
        assert (await stream.read()).result is False
        for game in ("one", "two"):
            await client.post("/start", json=body(id=game, timeout=500))
        assert (await stream.read()).result is True
        games = [asyncio.create_task(_play(client, game)) for game in ("one", "two")]
        await under_test.until(1.4, 2.0)
        for playing in games:
            playing.cancel()
        await asyncio.gather(*games, return_exceptions=True)
        for game in ("one", "two"):
            await client.post("/end", json=body(id=game, timeout=500))
        assert (await stream.read()).result is False
        await under_test.until(0, 0)
