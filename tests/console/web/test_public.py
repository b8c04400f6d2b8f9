"""The public port: games and reviews for everybody, and nothing else."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from prometheus_client import CollectorRegistry

from battlesnake_search import viewer
from battlesnake_search.ports.admin_address import AdminAddress
from battlesnake_search.ports.metrics import PortMetrics
from console.store import feed
from console.web import port
from tests.console.web.console import Console, events_of, running
from tests.gateway import scripted_searcher
from tests.support.services import free_port

ARM, EXPERIMENT, STRATEGY = "secret-arm", "secret-experiment", "paranoid/hungry"
SECRETS = (ARM, EXPERIMENT, STRATEGY)


@asynccontextmanager
async def _serving(folder: Path, ends: bool = True) -> AsyncIterator[tuple[Console, aiohttp.ClientSession]]:
    """Run a console with a public port and a game of a secret arm; yield it, and a client of the port."""
    routes = folder / "routes.toml"
    routes.write_text(
        f'[[snakes]]\npath = "/"\nexperiment = "{EXPERIMENT}"\n'
        f'arms = [{{ name = "{ARM}", strategy = "{STRATEGY}" }}]'
    )
    address = AdminAddress("127.0.0.1", free_port())
    async with running(
        scripted_searcher.at_once, routes=routes, public_pages=address, boards=["*"], reviews=False
    ) as console:
        await console.play("g", range(3), ends=ends)
        async with aiohttp.ClientSession(f"http://{address.host}:{address.port}") as stranger:
            yield console, stranger


def _admin() -> web.Application:
    """Return the application of an admin port."""
    counters = PortMetrics("test", CollectorRegistry())
    return port.build({}, AdminAddress("127.0.0.1", 0), None, counters)[0]


def _public_paths() -> list[str]:
    files = ["home.js", "game.js", "game.css", "console.js", "console.css", "home.css", "home-live.js"]
    return ["/", "/index.html", "/game.html?game=g", *(f"/{name}" for name in files), "/viewer/viewer.js"]


async def test_everybody_sees_games_without_the_names_of_arms(tmp_path: Path) -> None:
    """The admin port shows them. No page, answer or event of the public port has one, nor an address."""
    async with _serving(tmp_path) as (console, stranger):
        known = json.dumps(await console.get("/api/games/g"))
        assert all(secret in known for secret in SECRETS)
        searchers = [each["address"] for each in (await console.get("/api/overview"))["searchers"]]
        assert searchers
        apis = ["/api/games", "/api/games?state=over", "/api/games/g", "/games/g", "/games/g/frames"]
        for path in (*_public_paths(), *apis, "/nothing", "/api/nothing", "/api/games/missing"):
            async with stranger.get(path) as answer:
                assert answer.status == (404 if "nothing" in path or "missing" in path else 200), path
                text = await answer.text()
            assert not any(secret in text for secret in (*SECRETS, *searchers)), path
        async with stranger.get("/api/games/g") as answer:
            game = await answer.json()
        [ours] = [snake for snake in game["snakes"] if snake["ours"]]
        assert (ours["arm"], ours["experiment"], ours["strategy"]) == ("", "", "")
        assert any(decision for turn in game["turns"] for decision in turn["decisions"])


@pytest.mark.parametrize("path", ["/api/games/g/events", "/api/events"])
async def test_events_have_no_names_of_arms(path: str, tmp_path: Path) -> None:
    """Turns and decisions come as on the admin port, but for the names."""
    async with _serving(tmp_path, ends=False) as (console, stranger):
        async with stranger.get(path) as public, console.admin.get(path) as private:
            assert await public.content.readline() == b": follows\n"
            await console.play("g", range(3, 6))
            shown, known = [await events_of(answer, "end") for answer in (public, private)]
        assert [name for name, _ in shown] == [name for name, _ in known]
        if path != "/api/events":
            assert STRATEGY in json.dumps(known) and {"turn", "decision", "end"} == {
                name for name, _ in shown
            }
        assert not any(secret in json.dumps(shown) for secret in SECRETS)


async def test_no_other_path_of_the_console_is_public(tmp_path: Path) -> None:
    """Each route of the admin port that is not for everybody is unknown, and nothing can be written."""
    admin = _admin()
    assert not any("public" in str(route.resource) for route in admin.router.routes())
    shared = {"/", "/api/games", "/api/games/{game}", "/api/games/{game}/events", "/api/events"}
    shared |= {"/api/games/{game}/blunders", *(path.partition("?")[0] for path in _public_paths())}
    shared |= {f"/viewer/{file.name}" for file in viewer.FOLDER.iterdir()}
    shared |= {f"/{name}" for name in ("lists.js", "home-games.js", "charts.js", "charts.css")}
    async with _serving(tmp_path) as (_, stranger):
        for route in admin.router.routes():
            assert route.resource
            path = route.resource.canonical
            asked = path.replace("{game}", "g").replace("{name}", "default")
            async with stranger.request(route.method, asked) as answer:
                if path not in shared:
                    assert answer.status in (404, 405), (route.method, path)
                elif route.method == "POST":
                    assert answer.status == 405, path
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            for path in (
                "/",
                "/api/games",
                "/api/games/g",
                "/api/games/g/blunders",
                "/games/g",
                "/api/events",
            ):
                async with stranger.request(method, path, json={}) as answer:
                    assert answer.status == 405, (method, path)
                    assert (await answer.json())["error"].endswith(f", not {method}.")


async def test_a_stranger_can_not_ask_for_arms_or_search_the_games(tmp_path: Path) -> None:
    """A filter would tell which arms there are, and reads thousands of games. Headers are strict."""
    async with _serving(tmp_path) as (_, stranger):
        for query in (f"arm={ARM}", "opponent=x", "q=x", "result=win"):
            async with stranger.get(f"/api/games?{query}") as answer:
                assert answer.status == 400
                assert (await answer.json())["error"].endswith("no such field; the fields are state")
        for path in ("/api/games/x", "/games/x", "/games/x/frames", "/api/games/x/blunders"):
            async with stranger.get(path) as answer:
                assert answer.status == 404 and await answer.json() == {"error": "no such game: x"}
        for path in ("/", "/game.html", "/api/games", "/viewer/viewer.css", "/nothing"):
            async with stranger.get(path) as answer:
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
                assert answer.headers["X-Content-Type-Options"] == "nosniff"
                assert "Access-Control-Allow-Origin" not in answer.headers


async def test_strangers_leave_room_for_other_readers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond their bound they get 503, and the admin port still follows games."""
    monkeypatch.setattr(feed, "MAX_PUBLIC_READERS", 1)
    async with _serving(tmp_path, ends=False) as (console, stranger), stranger.get("/api/events") as first:
        assert first.status == 200
        async with stranger.get("/api/games/g/events") as second:
            assert second.status == 503
        async with console.admin.get("/api/events") as ours:
            assert ours.status == 200
