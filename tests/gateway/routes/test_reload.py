"""Snakes of a routes file over real sockets, in front of scripted searchers."""

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from gateway.routes import reload
from gateway.routes.config import Arm, SnakeRoute
from gateway.routes.draw import draw_arm
from gateway.routes.reload import RoutesInForce
from gateway.searchers.pool import SearcherPool
from tests.gateway import scripted_searcher
from tests.gateway.clients import metrics_with, post_move
from tests.gateway.scripted_searcher import Gateway, ScriptedService, body
from tests.support.logs import capture_logs

NOBODY = "127.0.0.1:1"

ALLOWED = "arm_header = true\n"

TWO_SNAKES = """
[[snakes]]
path = "/"
name = "Root"

[[snakes.arms]]
name = "only"

[[snakes]]
path = "/hydra"
name = "Hydra"
color = "#123456"
head = "safe"
tail = "bolt"
author = "someone"
experiment = "colours"

[[snakes.arms]]
name = "blue"
weight = 1
searcher = "{0}"
strategy = "paranoid/area"

[[snakes.arms]]
name = "red"
weight = 1
searcher = "{1}"
"""


@asynccontextmanager
async def _playing(
    file: Path, text: str, services: Sequence[ScriptedService], own: str = NOBODY
) -> AsyncIterator[Gateway]:
    """Serve a gateway with these routes, in which {0}, {1} and so on stand for the services' targets."""
    async with AsyncExitStack() as stack:
        targets = [
            await stack.enter_async_context(scripted_searcher.searcher(service)) for service in services
        ]
        for number, target in enumerate(targets):
            text = text.replace(f"{{{number}}}", target)
        file.write_text(text)
        yield await stack.enter_async_context(scripted_searcher.gateway(own, routes=file))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the routes file."""
    return tmp_path / "routes.toml"


def _services(number: int = 2) -> list[ScriptedService]:
    return [ScriptedService(scripted_searcher.at_once) for _ in range(number)]


async def test_a_snake_has_its_appearance(file: Path) -> None:
    """The index at a snake's path has the appearance from the file."""
    async with _playing(file, TWO_SNAKES, _services()) as client:
        async with client.get("/hydra") as answer:
            appearance = await answer.json()
        async with client.get("/") as answer:
            root = await answer.json()
    assert (
        appearance.items()
        >= {"color": "#123456", "head": "safe", "tail": "bolt", "author": "someone"}.items()
    )
    assert (appearance["name"], appearance["apiversion"], root["name"]) == ("Hydra", "1", "Root")
    assert root["color"].startswith("#")


async def test_a_snake_that_does_not_exist_is_not_found(file: Path) -> None:
    """A path without a snake is not found, nor is an unknown webhook of a snake."""
    async with _playing(file, TWO_SNAKES, _services()) as client:
        for path in ("/nobody", "/nobody/"):
            async with client.get(path) as answer:
                assert answer.status == 404
        async with client.post("/hydra/other", json=body()) as answer:
            assert answer.status == 404


async def test_a_game_whose_snake_was_removed_is_played_on(file: Path) -> None:
    """If the routes no longer have a game's snake, the one at / answers, and a warning is logged."""
    [own, *services] = _services(3)
    with capture_logs() as lines:
        async with (
            scripted_searcher.searcher(own) as target,
            _playing(file, TWO_SNAKES, services, own=target) as client,
        ):
            assert await post_move(client, body(), "/nobody/move") == "up"
            async with client.post("/nobody/end", json=body()) as answer:
                assert answer.status == 200
    assert [headers["x-arm"] for headers in own.headers] == ["only"]
    assert [line["path"] for line in lines if line["event"] == "no such snake"] == ["/nobody"] * 2


async def test_a_game_is_played_by_the_arm_that_is_drawn_for_it(file: Path) -> None:
    """Every turn of a game goes to its arm's searcher, with the arm in the headers."""
    services = _services()
    snake = SnakeRoute(path="/hydra", experiment="colours", arms=[Arm(name="blue"), Arm(name="red")])
    async with _playing(file, TWO_SNAKES, services) as client:
        sent = body()
        for number in range(12):
            for turn in (3, 4):
                await post_move(client, body(id=f"game-{number}") | {"turn": turn}, "/hydra/move")
    blue = [
        number for number in range(12) if draw_arm(snake, f"game-{number}", sent["you"]["id"]).name == "blue"
    ]
    assert 0 < len(blue) < 12
    asked = [request.position.game_id for request in services[0].requests]
    assert asked == [f"game-{number}" for number in blue for _ in range(2)]
    assert {headers["x-arm"] for headers in services[0].headers} == {"blue"}
    assert {headers["x-arm"] for headers in services[1].headers} == {"red"}


async def test_moves_are_logged_and_counted_by_arm(file: Path) -> None:
    """The log of a game's start, moves and end names the arm; a metric counts moves by arm."""
    with capture_logs() as lines:
        async with _playing(file, ALLOWED + TWO_SNAKES, _services()) as client:
            for path in ("start", "move", "end"):
                async with client.post(
                    f"/hydra/{path}", json=body(), headers={"X-Battlesnake-Arm": "red"}
                ) as answer:
                    assert answer.status == 200
            await metrics_with(client, 'gateway_arm_moves_total{arm="red",snake="/hydra"} 1.0')
    events = ("game started", "move", "game ended")
    assert [line["arm"] for line in lines if line["event"] in events] == ["red"] * 3


@pytest.mark.parametrize(("seconds", "ends"), [(30.0, True), (0.0, False)])
async def test_refused_settings_end_only_a_gateway_that_starts(
    monkeypatch: pytest.MonkeyPatch, seconds: float, ends: bool
) -> None:
    """A searcher that is started later may read other settings, and the gateway may be playing games."""
    monkeypatch.setattr(reload, "_AT_START", seconds)
    routes, refusals = RoutesInForce(None, ""), list[str]()
    routes.on_refusal = refusals.append
    async with SearcherPool(NOBODY) as pool, routes.running(pool):
        routes.refuse_settings("the searcher")
    assert bool(refusals) == ends
