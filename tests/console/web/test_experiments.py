"""The experiments over HTTP, from real databases."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from console.store.database import NO_DATABASE, OutcomesDatabase, read_database
from console.store.store import Store
from tests.battlesnake_search.viewer.made_up import serve_experiments
from tests.console.experiments.duels import duels
from tests.console.store.conftest import database

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


async def test_experiments_are_listed_and_found_by_their_names(database: OutcomesDatabase) -> None:
    """An experiment has its comparison over time and in words. A name may hold any character, escaped."""
    names = ["a name / with a slash", "hunger"]
    async with Store(database.url) as store:
        await store.prepare()
        for name in names:
            await store.add([*duels(name, "blue", 80, 0, 20), *duels(name, "green", 40, 0, 60)])
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
