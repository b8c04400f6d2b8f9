"""The experiments over HTTP, from real databases."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.common.access import TokenFile
from console.experiments import api
from console.store import database as databases
from console.store.database import NO_DATABASE, OutcomesDatabase, read_database
from console.store.store import Store
from tests.battlesnake_search.viewer.made_up import serve_experiments
from tests.console.experiments.duels import duels
from tests.console.store.conftest import database
from tests.console.web.console import running
from tests.support.admin import HEADERS, TOKENS

__all__ = ["database"]

Client = TestClient[web.Request, web.Application]


@asynccontextmanager
async def _served(outcomes: OutcomesDatabase) -> AsyncIterator[Client]:
    served = web.Application()
    serve_experiments(served, outcomes)
    async with TestClient(TestServer(served)) as client:
        yield client


async def _ask(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as answer:
        assert answer.content_type == "application/json"
        return answer.status, await answer.json()


@pytest.mark.parametrize("path", ["/experiments", "/api/experiments", "/api/experiments/hunger"])
async def test_without_a_database_the_reason_is_given(path: str) -> None:
    """A gateway without a database answers with the reason. The address of a lost database is not shown."""
    async with _served(NO_DATABASE) as client:
        assert await _ask(client, path) == (404, {"error": "no outcomes are recorded: --outcomes is none"})
    async with _served(read_database("postgresql://me:secret@127.0.0.1:1/games")) as client:
        assert await _ask(client, path) == (503, {"error": "the database can't be read"})


async def test_without_its_packages_there_is_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer names the missing packages and their installation."""
    missing = {**databases._REQUIRED, "experiments": ("no_such_package",)}
    monkeypatch.setattr(databases, "_REQUIRED", missing)
    async with _served(read_database("postgresql://127.0.0.1:1/games")) as client:
        status, answer = await _ask(client, "/experiments")
    assert status == 501
    assert answer["error"].startswith("no_such_package not installed: run pip install 'battlesnake-search[")


async def test_experiments_are_listed_and_found_by_their_names(database: OutcomesDatabase) -> None:
    """An experiment has its comparison over time and in words. A name may hold any character, escaped."""
    names = ["a name / with a slash", "hunger"]
    async with Store(database.url) as store:
        await store.prepare()
        for name in names:
            await store.add_outcomes([*duels(name, "blue", 80, 0, 20), *duels(name, "green", 40, 0, 60)])
    async with _served(database) as client:
        status, answer = await _ask(client, "/api/experiments")
        found = [
            await _ask(client, f"/api/experiments/{name}")
            for name in ("a%20name%20%2F%20with%20a%20slash", "hunger")
        ]
        unknown = await _ask(client, "/api/experiments/thirst")
    assert status == 200 and [one["name"] for one in answer["experiments"]] == names
    comparison = answer["experiments"][1]["comparison"]
    assert comparison["summary"].startswith("blue is better than green")
    assert comparison["verdict"] == "blue is better"
    assert comparison["history"][-1]["games"] == [100, 100]
    assert set(comparison["first_decided"]) == {"at", "games", "difference"}
    assert found == [(200, one) for one in answer["experiments"]]
    assert unknown == (404, {"error": "there is no experiment thirst"})


async def test_one_report_runs_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The public port and the admin port share the place of a report."""
    at_once = most = 0

    async def report(_database: OutcomesDatabase) -> bytes:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        await asyncio.sleep(0.05)
        at_once -= 1
        return b'{"experiments":[]}'

    monkeypatch.setattr(api, "_report", report)
    tokens, outcomes = TokenFile(TOKENS), read_database(str(tmp_path / "outcomes.sqlite"))
    async with running(tokens=tokens, outcomes=outcomes, public_metrics=True) as console:

        async def ask(client: Any) -> int:
            async with client.get("/experiments", headers=HEADERS) as answer:
                return int(answer.status)

        assert set(await asyncio.gather(ask(console.public), ask(console.admin))) == {200}
    assert most == 1
