"""A gateway as a process without the packages of a console of its own."""

import asyncio

import aiohttp

from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import PLAIN_COMMAND, fails, serving
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.command_process import PATIENCE


async def _end(client: aiohttp.ClientSession, game: str) -> None:
    async with client.post("/end", json=body("standard-end-86", id=game)) as answer:
        assert answer.status == 200


async def test_a_plain_gateway_records_nothing_and_says_so() -> None:
    """Without any extra the gateway plays, and logs once which extra recording needs."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, command=PLAIN_COMMAND, CONSOLE_TARGET="", OUTCOMES_URL="") as (process, client),
    ):
        async with client.post("/move", json=body()) as answer:
            assert (await answer.json())["move"] == "up"
        await _end(client, "one")
        process.terminate()
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    lines = [line for line in error.decode().splitlines() if "games are not recorded" in line]
    assert len(lines) == 1 and "[outcomes]" in lines[0]
    assert b"console started" not in error


async def test_a_requested_store_needs_its_extra() -> None:
    """Without the packages of a requested store the gateway names the extra and doesn't start."""
    status, error = await fails("--outcomes", "some.sqlite", command=PLAIN_COMMAND, CONSOLE_TARGET="")
    assert status == 2 and "--outcomes" in error and "[outcomes]" in error
    assert "Running on" not in error
