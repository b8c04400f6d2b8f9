"""The rows that the requests of games lead to, over real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.contract import search_pb2
from console.store.database import OutcomesDatabase
from gateway import app
from gateway.settings import Settings
from tests.console.serving import serving
from tests.console.store.outcome_samples import stored_outcomes
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Gateway, Script, ScriptedService, body


@asynccontextmanager
async def _recording(
    database: OutcomesDatabase, script: Script = scripted_searcher.at_once
) -> AsyncIterator[Gateway]:
    """Serve a gateway with a console, in front of a searcher that answers at once; yield a client.

    A gateway that ends waits until its console has stored all events.
    """
    async with scripted_searcher.searcher(ScriptedService(script)) as target, serving(database) as recorder:
        application = app.build(
            Settings(
                searcher=target,
                strategy="paranoid/area",
                console=recorder.target,
                public_metrics=True,
            )
        )
        async with TestClient(TestServer(application)) as client:
            yield client


async def _post(client: Gateway, path: str, name: str, **changes: object) -> None:
    async with client.post(path, json=body(name) | changes) as answer:
        assert answer.status == 200


def _after_moving_up() -> dict[str, Any]:
    """Return the changes of the first turn after our snake has played the searcher's move."""
    start = body("standard-start-0")
    own = next(snake for snake in start["board"]["snakes"] if snake["id"] == start["you"]["id"])
    for snake in (own, start["you"]):
        head = snake["body"][0]
        snake["body"] = [head | {"y": head["y"] + 1}, *snake["body"][:-1]]
    return {"turn": 1, "board": start["board"], "you": start["you"]}


async def _rows(url: str) -> list[dict[str, Any]]:
    return await stored_outcomes(url)


async def test_the_strategy_that_played_is_part_of_the_row(database: OutcomesDatabase) -> None:
    """The row has the strategy by its searcher's account, with all its weights and a digest."""
    strategy = search_pb2.Strategy(search="maxn", evaluator="area", weights={"hunger": 0.5})

    async def script(
        request: search_pb2.StreamSearchRequest, context: scripted_searcher.Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        async for response in scripted_searcher.at_once(request, context):
            response.result.strategy.CopyFrom(strategy)
            response.result.code_digest = "code"
            yield response

    async with _recording(database, script=script) as client:
        await _post(client, "/move", "standard-start-0")
        await _post(client, "/move", "standard-start-0", **_after_moving_up())
        await _post(client, "/end", "standard-end-86", you=body("standard-start-0")["you"])
    [row] = await _rows(database.url)
    [(name, searched)] = row["searched"].items()
    assert (name, searched["weights"], row["drawn"]) == ("maxn/area", {"hunger": 0.5}, True)
    assert len(searched["digest"]) == 16
