"""The rows that the requests of games lead to, over real sockets."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.contract import search_pb2
from console.experiments.report import report
from console.store.database import OutcomesDatabase
from gateway import app
from gateway.settings import Settings
from tests.console.serving import serving
from tests.console.store.outcome_samples import stored_outcomes
from tests.gateway import scripted_searcher
from tests.gateway.clients import metrics_with
from tests.gateway.scripted_searcher import Gateway, Script, ScriptedService, body

SHADOWED = """
[[snakes]]
path = "/"
arms = [{ name = "main" }]
shadows = [{ name = "next", strategy = "maxn/area" }]
"""


@asynccontextmanager
async def _recording(
    database: OutcomesDatabase, routes: Path | None = None, script: Script = scripted_searcher.at_once
) -> AsyncIterator[Gateway]:
    """Serve a gateway with a console, in front of a searcher that answers at once; yield a client.

    A gateway that ends waits until its console has stored all events.
    """
    async with scripted_searcher.searcher(ScriptedService(script)) as target, serving(database) as recorder:
        application = app.build(
            Settings(
                searcher=target,
                strategy="paranoid/area",
                routes=routes,
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


async def test_a_game_becomes_a_row(database: OutcomesDatabase) -> None:
    """When the gateway has ended, the row has the opponents, the ending and the mean depth."""
    async with _recording(database) as client:
        await _post(client, "/start", "standard-start-0")
        await _post(client, "/move", "standard-start-0")
        await _post(client, "/move", "standard-start-0", **_after_moving_up())
        for _ in range(2):
            await _post(client, "/end", "standard-end-86", you=body("standard-start-0")["you"])
    [row] = await _rows(database.url)
    you = body("standard-start-0")["you"]
    assert (row["snake_id"], row["snake"], row["strategy"]) == (you["id"], you["name"], "paranoid/area")
    assert (row["experiment"], row["arm"], row["ruleset"]) == ("default", "default", "standard")
    assert (row["turns"], row["moves"], row["mean_depth"], row["timeouts"]) == (86, 2, 2.0, 0)
    assert you["name"] not in row["opponents"] and row["opponents"] and row["seen_from"] == 0
    assert (row["control"], row["shares"], row["searched"]) == ("default", {"default": 1.0}, {})


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


async def test_an_end_without_a_start_is_recorded(database: OutcomesDatabase) -> None:
    """An /end alone leads to a row."""
    async with _recording(database) as client:
        await _post(client, "/end", "standard-end-eliminated-86")
    [row] = await _rows(database.url)
    assert (row["result"], row["turns"], row["seen_from"]) == ("loss", 86, None)


async def test_a_games_shadows_are_part_of_its_row(database: OutcomesDatabase, tmp_path: Path) -> None:
    """The row has the agreement, the depth and the score of each shadow."""
    routes = tmp_path / "routes.toml"
    routes.write_text(SHADOWED)
    async with _recording(database, routes) as client:
        for turn in range(3):
            await _post(client, "/move", "standard-start-0", turn=turn)
        await metrics_with(client, 'shadow="next",snake="/"} 3.0')
        await _post(client, "/end", "standard-end-86", you=body("standard-start-0")["you"])
    [row] = await _rows(database.url)
    shadow = {"strategy": "maxn/area", "compared": 3, "agreed": 3, "mean_depth": 2.0, "mean_score": 0.25}
    shadow |= {"played_mean_depth": 2.0, "played_mean_score": 0.25}
    assert (row["moves"], row["shadows"]) == (3, {"next": shadow})


async def test_the_report_has_what_was_recorded(database: OutcomesDatabase) -> None:
    """It counts the games."""
    async with _recording(database) as client:
        for end in ("standard-end-86", "wrapped-end-eliminated-94"):
            you, board = body(end)["you"], body("standard-start-0")["board"]
            mine, *others = board["snakes"]
            snakes = [mine | {"id": you["id"]}, *others]
            played = {"you": you, "game": body(end)["game"], "board": board | {"snakes": snakes}}
            await _post(client, "/move", "standard-start-0", **played)
            await _post(client, "/end", end, turn=2)
        await _post(client, "/end", "standard-end-eliminated-86")
    [experiment] = await report(database.url)
    [arm] = experiment.arms
    assert (arm.games, arm.wins, arm.losses, arm.score) == (2, 1, 1, 0.5)
    assert (arm.not_seen, arm.unfinished) == (1, 0)
    assert arm.win_share is not None and arm.win_share.low < 0.5 < arm.win_share.high
    assert experiment.comparison is None
