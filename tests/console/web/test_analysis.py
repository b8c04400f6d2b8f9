"""The API of analyses over HTTP, with a searcher behind it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from console.searchers import Searchers
from console.web import analysis
from console.web.port import PAGES
from console.web.replies import readable_errors
from searcher.engine.result import Scores, StopReason
from searcher.interface import StrategyProvider
from tests.console.web.analyses import Json, add_analyses
from tests.console.web.console import events_of
from tests.gateway.scripted_searcher import ScriptedService, body, one_depth_then_silence, searcher
from tests.searcher.fakes import FakeStrategies
from tests.support.event_loop import until
from tests.support.logs import capture_logs

PATIENCE = 20.0

Client = TestClient[Any, Any]


@asynccontextmanager
async def console(strategies: StrategyProvider) -> AsyncIterator[Client]:
    """Serve the API in front of a searcher with these strategies; yield a client."""
    app = web.Application()
    add_analyses(app, strategies)
    with capture_logs():
        async with TestClient(TestServer(app)) as client:
            yield client


@pytest.fixture
def strategies() -> FakeStrategies:
    """The strategies of the searcher; their record has its searches."""
    return FakeStrategies()


@pytest.fixture
async def client(strategies: FakeStrategies) -> AsyncIterator[Client]:
    """A client of the API in front of a searcher with fake strategies."""
    async with console(strategies) as client:
        yield client


def question(**fields: object) -> Json:
    """Return a question about a recorded position."""
    return {"position": body(), "time_ms": 300, **fields}


async def test_strategies_are_listed_with_their_weights(client: Client) -> None:
    """The answer names the searchers, the searches, and the evaluators with the bounds of their weights."""
    found = await (await client.get("/api/strategies")).json()
    assert found["searchers"] == [{"address": found["searcher"], "serving": True}]
    assert [each["name"] for each in found["searches"]] == ["steady", "broken"]
    weight = found["evaluators"][1]["weights"][1]
    assert (weight["name"], weight["default"], weight["minimum"], weight["maximum"]) == ("food", 0.5, -1, 1)
    assert (found["default"], found["auto"]) == ("steady/weighed", ["steady/weighed"])


async def test_an_analysis_streams_depth_by_depth(client: Client, strategies: FakeStrategies) -> None:
    """Each depth is a decision as in games. The last event is final and has the reason of the end."""
    *depths, (name, last) = await events_of(await client.post("/api/analyze", json=question()))
    assert len(depths) > 2
    assert {name for name, _ in depths} == {"depth"}
    assert [found["depth"] for _, found in depths] == sorted(found["depth"] for _, found in depths)
    assert (name, last["stop"], last["move"], last["score"]) == ("final", "time", "left", 0.5)
    assert (last["strategy"], last["budget_ms"], last["nodes"]) == ("steady/weighed", 300, 10 * last["depth"])
    assert last["moves"] == [
        {
            "move": "left",
            "score": 0.5,
            "depth": last["depth"],
            "outcome": {"kind": "win", "turns": 3},
            "exact": True,
        }
    ]
    run = await strategies.record.first_run()
    assert run.limits.scores is Scores.ALL
    assert last["pv"] == [["up"] * len(run.position.snakes)] * last["depth"]


async def test_threads_and_weights_reach_the_search(client: Client, strategies: FakeStrategies) -> None:
    """A search has the threads, and a weight out of bounds is refused in the searcher's own words."""
    await events_of(await client.post("/api/analyze", json=question(threads=2)))
    assert (await strategies.record.first_run()).limits.threads == 2
    asked = question(strategy="steady/weighed", weights={"food": 7})
    [(name, said)] = await events_of(await client.post("/api/analyze", json=asked))
    assert (name, said["code"]) == ("error", "INVALID_ARGUMENT")
    assert said["error"] == "strategy.weights['food']: must be -1.0 to 1.0, not 7.0"


async def test_a_failed_search_ends_with_its_error(client: Client) -> None:
    """Depths before the error are kept, and the error is the searcher's."""
    found = await events_of(await client.post("/api/analyze", json=question(strategy="broken/plain")))
    assert [name for name, _ in found] == ["depth", "error"]
    assert found[1][1] == {"error": "the search failed: RuntimeError", "code": "INTERNAL"}


async def test_a_lost_searcher_is_a_sentence() -> None:
    """The words of gRPC about a lost connection don't reach the reader, before and within a search."""
    app = web.Application(middlewares=[readable_errors(PAGES / "missing.html")])
    app[analysis.SLOTS] = asyncio.Semaphore(analysis.MOST)
    app.add_routes(analysis.HANDLERS)
    service = ScriptedService(one_depth_then_silence)
    serving = AsyncExitStack()
    async with Searchers([await serving.enter_async_context(searcher(service))]) as searchers:
        app[analysis.SEARCHERS] = searchers
        async with TestClient(TestServer(app)) as client:
            answer = await client.post("/api/analyze", json=question(time_ms=50_000))
            await until(lambda: service.requests)
            await serving.aclose()
            name, said = (await events_of(answer))[-1]
            refused = await client.post("/api/evaluate", json={"position": body()})
            assert (name, said["error"]) == ("error", "the connection is lost. Try again in a moment")
            reason = (await refused.json())["error"]
            assert (refused.status, reason) == (503, "no connection: nothing listens there")


async def test_the_search_ends_when_the_browser_goes_away(client: Client, strategies: FakeStrategies) -> None:
    """Closing the connection cancels the search, and its slot is free again."""
    strategies.depth_seconds = 3.0
    response = await client.post("/api/analyze", json=question(time_ms=50_000))
    await until(lambda: strategies.record.running)
    response.close()
    await until(lambda: strategies.record.runs)
    assert strategies.record.runs[0].stop_reason is StopReason.CANCELLED


async def test_two_analyses_run_at_once(client: Client, strategies: FakeStrategies) -> None:
    """A third one is refused with the reason, until one has ended."""
    running = [await client.post("/api/analyze", json=question(time_ms=50_000)) for _ in range(2)]
    refused = await client.post("/api/analyze", json=question())
    assert refused.status == 429
    assert "2 analyses are running" in (await refused.json())["error"]
    await until(lambda: strategies.record.running == 2)
    running[0].close()
    await until(lambda: strategies.record.runs)
    async with asyncio.timeout(PATIENCE):
        while (await client.post("/api/analyze", json=question(time_ms=20))).status != 200:
            await asyncio.sleep(0.05)
    running[1].close()


async def test_an_invalid_question_names_its_field(client: Client) -> None:
    """The answer is 400, with the path of the field and the reason."""
    invalid: dict[str, Json] = {
        "time_ms": {"time_ms": 60_001},
        "threads": {"threads": 0},
        "strategy": {"strategy": "paranoid"},
        "searcher": {"searcher": "10.0.0.1:1"},
        "position.board": {"position": {"game": {"id": "g"}, "you": {"id": "a", "body": []}}},
        "weights[...]": {"weights": {"food": "much"}},
    }
    for named, fields in invalid.items():
        answer = await client.post("/api/analyze", json=question(**fields))
        said = await answer.json()
        assert (answer.status, said["field"]) == (400, named) and said["error"]
    for path in ("/api/evaluate", "/api/advance"):
        asked = {"position": body(), "searcher": "10.0.0.1:1", "moves": {}}
        answer = await client.post(path, json=asked)
        assert (answer.status, (await answer.json())["field"]) == (400, "searcher")
