"""Hot reload of evaluators, with a real gateway and its searchers."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import aiohttp

from gateway.routes.evaluator_watch import evaluator_folders
from tests.gateway.gateway_process import refused, start
from tests.gateway.scripted_searcher import body
from tests.searcher.plugins.packages import PACKAGE, path_with, source, unpack
from tests.support.child_process import killed
from tests.support.services import free_port

LONG = 180.0
"""Seconds, far more than a searcher needs to compile an evaluator on a busy machine."""


def version(factor: float) -> str:
    """Return the source of an evaluator."""
    return source(f"return {factor} * board.length[snake]")


async def logged(log: Path, event: str, times: int = 1) -> Mapping[str, Any]:
    """Wait until an event is in the log so many times, and return the last line with it."""
    async with asyncio.timeout(LONG):
        while True:
            lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
            found = [line for line in lines if line["event"] == event]
            if len(found) >= times:
                return dict(found[-1])
            await asyncio.sleep(0.1)


async def move(client: aiohttp.ClientSession, game: str) -> None:
    """Let the gateway play a move, with time enough beside a compilation on a busy machine."""
    async with client.post("/move", json=body(id=game, timeout=3000)) as answer:
        assert answer.status == 200


async def test_a_changed_evaluator_plays_without_a_restart(tmp_path: Path) -> None:
    """A faulty version does not play: the log has the reason, and the former version plays on. A save that
    comes soon after another one is taken up at once.
    """
    site, log = tmp_path / "site", tmp_path / "log"
    unpack(site, {"heads": "", "mine": version(0.01)}, {"mine": f"{PACKAGE}.mine"})
    file, port = site / PACKAGE / "mine.py", free_port()
    console = f"127.0.0.1:{free_port()}"
    process = await start(
        *("--host", "127.0.0.1", "--port", str(port), "--admin", console, "--strategy", "paranoid/mine"),
        "--watch",
        log=str(log),
        PYTHONPATH=path_with(site),
        SEARCHER_ONLY="paranoid/mine",
        ADMIN_TOKENS="",
        PUBLIC_METRICS="",
        CONSOLE_TARGET="",
        OUTCOMES_URL="none",
    )
    try:
        first = (await logged(log, "evaluators play"))["version"]
        assert first.startswith("paranoid/mine ")
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client:
            file.write_text(version(0.02))
            await logged(log, "evaluators changed")
            await move(client, "first")
            assert (await logged(log, "move"))["source"] != "reflex"
            second = (await logged(log, "evaluators replaced"))["version"]
            assert second.startswith("paranoid/mine ") and second != first
            file.write_text(version(0.03).replace("length", "lenght"))
            reason = (await logged(log, "evaluators not replaced"))["reason"]
            assert "board has no field 'lenght'; nearest: length" in reason
            await move(client, "second")
            assert (await logged(log, "move", 2))["source"] != "reflex"
            async with client.get(f"http://{console}/api/overview") as answer:
                [searcher] = (await answer.json())["searchers"]
            assert searcher["serving"] and searcher["version"] == second
            # Each save comes while a searcher still compiles the version before.
            for number, text in enumerate((version(0.04), "def evaluate(", version(0.05))):
                file.write_text(text)
                await logged(log, "evaluators changed", 3 + number)
                await asyncio.sleep(0.7)
            third = (await logged(log, "evaluators replaced", 2))["version"]
            assert third.startswith("paranoid/mine ") and third not in (first, second)
            assert "Traceback" not in log.read_text()
    finally:
        await killed(process)


def test_the_evaluators_of_this_project_are_watched_too() -> None:
    """They are in the folder in which contributors edit them."""
    root = Path(__file__).parents[3]
    assert root / "searcher" / "evaluators" in evaluator_folders()


def test_a_searcher_elsewhere_is_not_watched() -> None:
    """The error names both options."""
    status, error = refused("--watch", "--searcher", "127.0.0.1:1")
    assert status == 2 and "leave out --searcher or --watch" in error
