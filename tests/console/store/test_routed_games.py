"""An A/B test from the routes file to its report: two gateways, one console, real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from console.experiments.report import report
from console.store.database import OutcomesDatabase
from gateway import app
from gateway.settings import Settings
from tests.console.serving import serving
from tests.console.store.outcome_samples import stored_outcomes
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Gateway, ScriptedService, body

NOBODY = "127.0.0.1:1"
GAMES = 24
FORCED = 5
TESTS = 3
TURNS = 2
PATIENCE = 30.0

ROUTES = """
arm_header = true
[[snakes]]
path = "/hydra"
experiment = "colours"

[[snakes.arms]]
name = "blue"
weight = 2
searcher = "{0}"
strategy = "paranoid/area"

[[snakes.arms]]
name = "red"
weight = 1
control = true
searcher = "{1}"
"""


@asynccontextmanager
async def _two_gateways(console: str, routes: Path) -> AsyncIterator[list[Gateway]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(TestClient(TestServer(application)))
            for application in (
                app.build(Settings(searcher=NOBODY, routes=routes, console=console)) for _ in range(2)
            )
        ]


async def _post(client: Gateway, request: str, sent: dict[str, Any], arm: str = "") -> None:
    headers = {"X-Battlesnake-Arm": arm} if arm else {}
    async with client.post(f"/hydra/{request}", json=sent, headers=headers) as answer:
        assert answer.status == 200


async def _play(gateways: list[Gateway], game: str, won: bool, arm: str = "") -> None:
    """Play a game whose turns go to the gateways in turn; its requests before the /end name the arm."""
    start = body("standard-start-0", id=game)
    await _post(gateways[0], "start", start, arm)
    for turn in range(TURNS):
        await _post(gateways[turn % len(gateways)], "move", start | {"turn": turn}, arm)
    left = [snake for snake in start["board"]["snakes"] if (snake["id"] == start["you"]["id"]) is won]
    await _post(gateways[-1], "end", start | {"turn": TURNS, "board": start["board"] | {"snakes": left}})


def _games(service: ScriptedService) -> set[str]:
    """Return the games of a searcher's requests that count."""
    games = {request.position.game_id for request in service.requests}
    return {game for game in games if game.startswith("game")}


async def test_two_arms_are_compared_by_the_games_that_were_drawn(
    database: OutcomesDatabase, tmp_path: Path
) -> None:
    """Both gateways count the games of each arm's searcher, apart from forced and test games."""
    services = [ScriptedService(scripted_searcher.at_once) for _ in range(2)]
    routes = tmp_path / "routes.toml"
    async with (
        scripted_searcher.searcher(services[0]) as blue,
        scripted_searcher.searcher(services[1]) as red,
    ):
        routes.write_text(ROUTES.format(blue, red))
        async with serving(database) as console:
            async with _two_gateways(console.target, routes) as gateways:
                for number in range(GAMES):
                    await _play(gateways, f"game {number}", won=number % 3 == 0)
                for number in range(FORCED):
                    await _play(gateways[:1], f"forced {number}", won=True, arm="red")
                for number in range(TESTS):
                    await _play(gateways, f"{TEST_GAME_PREFIX}{number}", won=True)
            # A gateway that ends leaves to the next one what its console was too slow for.
            async with asyncio.timeout(PATIENCE), _two_gateways(console.target, routes):
                while len(await stored_outcomes(database.url)) < 2 * (GAMES + TESTS) + FORCED:
                    await asyncio.sleep(0.1)
    [experiment] = msgspec.json.decode(msgspec.json.encode(await report(database.url)))
    assert experiment["name"] == "colours"
    for arm, service in zip(experiment["arms"], services, strict=True):
        games = _games(service)
        wins = sum(int(game.split()[1]) % 3 == 0 for game in games)
        assert (arm["games"], arm["wins"], arm["losses"]) == (len(games), wins, len(games) - wins)
        assert arm["games"] > 0
    assert [arm["name"] for arm in experiment["arms"]] == ["blue", "red"]
    assert [arm["strategies"] for arm in experiment["arms"]] == [["paranoid/area"], [""]]
    assert sum(arm["games"] for arm in experiment["arms"]) == GAMES
    assert [arm["not_drawn"] for arm in experiment["arms"]] == [0, FORCED]
    assert sum(arm["test_games"] for arm in experiment["arms"]) == TESTS
    assert experiment["comparison"]["verdict"] == "undecided"
    assert experiment["comparison"]["arms"] == ["blue", "red"] and experiment["control"] == "red"
    assert experiment["sample_ratio"]["expected"] == {"blue": 16, "red": 8}
    assert sum(experiment["sample_ratio"]["games"].values()) == GAMES
