"""The experiments as JSON, from real databases."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from gateway.admin import experiments
from gateway.experiments import page
from gateway.store.database import NO_DATABASE, OutcomesDatabase, read_database
from gateway.store.store import Store
from tests.gateway.experiments.duels import duels
from tests.gateway.store.conftest import database

__all__ = ["database"]

Client = TestClient[web.Request, web.Application]


@asynccontextmanager
async def _served(outcomes: OutcomesDatabase) -> AsyncIterator[Client]:
    app = web.Application()
    app[page.DATABASE], app[page.REPORTING] = outcomes, asyncio.Lock()
    app.add_routes(experiments.HANDLERS)
    async with TestClient(TestServer(app)) as client:
        yield client


async def _ask(client: Client, path: str) -> tuple[int, Any]:
    async with client.get(path) as answer:
        assert answer.content_type == "application/json"
        return answer.status, await answer.json()


async def _fill(outcomes: OutcomesDatabase, *names: str) -> None:
    async with Store(outcomes.url) as store:
        await store.prepare()
        for name in names:
            await store.add_outcomes([*duels(name, "blue", 80, 0, 20), *duels(name, "green", 40, 0, 60)])


async def test_experiments_are_listed(database: OutcomesDatabase) -> None:
    """All experiments of a database, with the comparison over time and in words."""
    await _fill(database, "hunger", "a name / with a slash")
    async with _served(database) as client:
        status, answer = await _ask(client, "/api/experiments")
    assert status == 200
    assert [one["name"] for one in answer["experiments"]] == ["a name / with a slash", "hunger"]
    comparison = answer["experiments"][1]["comparison"]
    assert comparison["summary"].startswith("blue is better than green")
    assert comparison["history"][-1]["games"] == [100, 100]
    assert set(comparison["first_decided"]) == {"at", "games", "difference"}


@pytest.mark.parametrize("name", ["hunger", "a%20name%20%2F%20with%20a%20slash"])
async def test_an_experiment_is_found_by_its_name(database: OutcomesDatabase, name: str) -> None:
    """The name may hold any character, escaped as in every URL."""
    await _fill(database, "hunger", "a name / with a slash")
    async with _served(database) as client:
        status, answer = await _ask(client, f"/api/experiments/{name}")
    assert status == 200 and [arm["name"] for arm in answer["arms"]] == ["blue", "green"]


async def test_an_unknown_experiment_is_not_found(database: OutcomesDatabase) -> None:
    """The answer is 404 with the name."""
    await _fill(database, "hunger")
    async with _served(database) as client:
        assert await _ask(client, "/api/experiments/thirst") == (
            404,
            {"error": "there is no experiment thirst"},
        )


@pytest.mark.parametrize("path", ["/api/experiments", "/api/experiments/hunger"])
async def test_without_a_database_the_reason_is_given(path: str) -> None:
    """A gateway that records nothing says why; one whose database is gone doesn't show its address."""
    async with _served(NO_DATABASE) as client:
        assert await _ask(client, path) == (404, {"error": "no outcomes are recorded: --outcomes is none"})
    async with _served(read_database("postgresql://me:secret@127.0.0.1:1/games")) as client:
        assert await _ask(client, path) == (503, {"error": "the database can't be read"})
