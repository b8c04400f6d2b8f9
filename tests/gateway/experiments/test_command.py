"""Outcomes of a gateway that is a process: recorded, and compared by its command, where the extras are."""

import asyncio
import csv
from pathlib import Path

import aiohttp
import pytest

from tests.gateway import scripted
from tests.gateway.commands import PATIENCE, PLAIN_COMMAND, fails, output, serving, without
from tests.gateway.scripted import ScriptedService, body


async def _end(client: aiohttp.ClientSession, game: str) -> None:
    async with client.post("/end", json=body("standard-end-86", id=game)) as answer:
        assert answer.status == 200


async def _games(file: Path) -> int:
    """How many games the command line finds recorded."""
    lines = csv.DictReader((await output("experiments", "--outcomes", str(file), "--csv")).splitlines())
    return sum(int(line["games"]) for line in lines)


async def test_outcomes_outlive_the_gateway(tmp_path: Path) -> None:
    """Killed or ended, the next gateway goes on in the same file, and an end that comes again counts once."""
    file = tmp_path / "outcomes.sqlite"
    async with scripted.searcher(ScriptedService(scripted.at_once)) as target:
        async with serving(target, OUTCOMES_URL=str(file)) as (process, client):
            await _end(client, "one")
            while not (await (await client.get("/experiments")).json()).get("experiments"):
                await asyncio.sleep(0.05)
            process.kill()
            await process.communicate()
        async with serving(target, OUTCOMES_URL=str(file)) as (process, client):
            await _end(client, "one")
            await _end(client, "two")
            process.terminate()
            await asyncio.wait_for(process.communicate(), PATIENCE)
    assert await _games(file) == 2


async def test_a_plain_gateway_records_nothing_and_says_so() -> None:
    """Without any extra installed the gateway plays, and logs once what recording would need."""
    async with (
        scripted.searcher(ScriptedService(scripted.at_once)) as target,
        serving(target, command=PLAIN_COMMAND, OUTCOMES_URL="") as (process, client),
    ):
        await _end(client, "one")
        async with client.post("/move", json=body()) as answer:
            assert (await answer.json())["move"] == "up"
        async with client.get("/experiments") as answer:
            assert answer.status == 404
        process.terminate()
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    said = [line for line in error.decode().splitlines() if "outcomes are not recorded" in line]
    assert len(said) == 1 and "battlesnake-search[outcomes]" in said[0]


@pytest.mark.parametrize("outcomes", ["some.sqlite", "postgresql://localhost/x"])
async def test_a_store_that_was_asked_for_needs_its_extra(outcomes: str) -> None:
    """Asked to record without what that needs, the gateway says what to install and doesn't start."""
    status, error = await fails("--outcomes", outcomes, command=PLAIN_COMMAND)
    assert status == 2 and "battlesnake-search[outcomes]" in error


async def test_the_outcomes_may_be_named_before_the_command(tmp_path: Path) -> None:
    """The gateway's own option goes for its subcommands too, before the environment's."""
    early, late = str(tmp_path / "early.sqlite"), str(tmp_path / "late.sqlite")
    _, error = await fails("--outcomes", early, "experiments", OUTCOMES_URL=late)
    assert "early.sqlite" in error
    _, error = await fails("--outcomes", early, "experiments", "--outcomes", late)
    assert "late.sqlite" in error


async def test_comparing_needs_its_extra(tmp_path: Path) -> None:
    """A gateway that records but can't compute says what to install, on the page and on the command line."""
    command, file = without("scipy"), str(tmp_path / "outcomes.sqlite")
    async with (
        scripted.searcher(ScriptedService(scripted.at_once)) as target,
        serving(target, command=command, OUTCOMES_URL=file) as (_, client),
        client.get("/experiments") as answer,
    ):
        assert answer.status == 501
        assert "battlesnake-search[experiments]" in (await answer.json())["error"]
    status, error = await fails("experiments", "--outcomes", file, command=command)
    assert status == 1 and "battlesnake-search[experiments]" in error


async def test_outcomes_that_are_not_there_are_named(tmp_path: Path) -> None:
    """Experiments without a file, or without any outcomes, are one clear line."""
    status, error = await fails("experiments", "--outcomes", str(tmp_path / "none.sqlite"))
    assert status == 1 and "none.sqlite" in error and "Traceback" not in error
    status, error = await fails("experiments", "--outcomes", "none")
    assert status == 1 and "none was asked for" in error
