"""Outcomes of a gateway process, the command that compares them, and the extras that both need."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.console.conftest import Recorded
from tests.console.experiments.duels import duels
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import PATIENCE, PLAIN_COMMAND, complaint, fails, output, serving, without
from tests.gateway.scripted_searcher import ScriptedService, body


async def _end(client: aiohttp.ClientSession, game: str) -> None:
    async with client.post("/end", json=body("standard-end-86", id=game)) as answer:
        assert answer.status == 200


async def _games(file: Path) -> int:
    """Return the number of recorded games, seen from the beginning or not, by the command line."""
    [experiment] = json.loads(await output("experiments", "--outcomes", str(file), "--json"))["experiments"]
    return sum(int(arm["games"]) + int(arm["not_seen"]) for arm in experiment["arms"])


async def test_outcomes_outlive_the_gateway(tmp_path: Path) -> None:
    """After a gateway is killed or ended the next one uses the same file; a repeated end counts once."""
    file = tmp_path / "outcomes.sqlite"
    async with scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target:
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
    """Without any extra the gateway plays, and logs once which extra recording needs."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, command=PLAIN_COMMAND, OUTCOMES_URL="") as (process, client),
    ):
        await _end(client, "one")
        async with client.post("/move", json=body()) as answer:
            assert (await answer.json())["move"] == "up"
        async with client.get("/experiments") as answer:
            assert answer.status == 404
        process.terminate()
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    lines = [line for line in error.decode().splitlines() if "outcomes are not recorded" in line]
    assert len(lines) == 1 and "battlesnake-search[outcomes]" in lines[0]


@pytest.mark.parametrize(
    ("outcomes", "extra"), [("some.sqlite", "outcomes"), ("postgresql://localhost/x", "postgres")]
)
async def test_a_requested_store_needs_its_extra(outcomes: str, extra: str) -> None:
    """Without the packages of a requested store the gateway names the extra and doesn't start."""
    status, error = await fails("--outcomes", outcomes, command=PLAIN_COMMAND)
    assert status == 2 and f"battlesnake-search[{extra}]" in error


async def test_the_database_may_be_given_before_the_command(tmp_path: Path) -> None:
    """A subcommand inherits the gateway's option, and the option takes precedence over the environment."""
    early, late = str(tmp_path / "early.sqlite"), str(tmp_path / "late.sqlite")
    _, error = await complaint("--outcomes", early, "experiments", OUTCOMES_URL=late)
    assert "early.sqlite" in error
    _, error = await complaint("--outcomes", early, "experiments", "--outcomes", late)
    assert "late.sqlite" in error


async def test_comparing_needs_its_extra(tmp_path: Path) -> None:
    """Without rich the gateway and the command name the extra to install."""
    command, file = without("rich"), str(tmp_path / "outcomes.sqlite")
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once)) as target,
        serving(target, command=command, OUTCOMES_URL=file) as (_, client),
        client.get("/experiments") as answer,
    ):
        assert answer.status == 501
        assert "battlesnake-search[experiments]" in (await answer.json())["error"]
    status, error = await fails("experiments", "--outcomes", file, command=command)
    assert status == 1 and "battlesnake-search[experiments]" in error


async def test_missing_outcomes_are_one_clear_line(tmp_path: Path) -> None:
    """A missing file, or no database, is an error of one line."""
    status, error = await complaint("experiments", "--outcomes", str(tmp_path / "none.sqlite"))
    assert status == 1 and "none.sqlite" in error and "Traceback" not in error
    status, error = await complaint("experiments", "--outcomes", "none")
    assert status == 1 and "--outcomes is none" in error


SLOW = ("aiohttp", "alembic", "grpc", "google.protobuf", "scipy", "sqlalchemy")
"""Packages that take a tenth of a second or more, or that a report of two arms has no use for."""

RUN = """
import sys
from gateway.commands.main import main
main(sys.argv[1:], standalone_mode=False)
print(*(name for name in {slow!r} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(("form", "begins"), [("--json", "{"), (None, "")])
def test_a_report_of_two_arms_imports_nothing_slow(
    recorded: Recorded, tmp_path: Path, form: str | None, begins: str
) -> None:
    """In every format, the command imports nothing for serving."""
    recorded([*duels("x", "blue", 5, 0, 9), *duels("x", "green", 9, 0, 5)])
    options = ["experiments", "--outcomes", str(tmp_path / "outcomes.sqlite"), *([form] if form else [])]
    command = [sys.executable, "-c", RUN.format(slow=SLOW), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "blue" in done.stdout and done.stderr.split() == []
    assert done.stdout.startswith(begins)
