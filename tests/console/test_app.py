"""The console as a whole: without a gateway, with one and with several."""

import asyncio

import aiohttp

from battlesnake_search.ports.admin_address import AdminAddress
from console.settings import Settings
from gateway.settings import Settings as GatewaySettings
from tests.console.web.console import playing, recording
from tests.gateway.clients import post_move
from tests.gateway.scripted_searcher import body
from tests.support.services import free_port

PATIENCE = 30.0

NO_SEARCHER = "127.0.0.1:1"


async def test_a_console_without_gateways_serves_its_pages() -> None:
    """It has no snakes and no moves, and tells why it is not ready."""
    port = free_port()
    async with (
        recording(Settings(admin=AdminAddress("127.0.0.1", port))),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as admin,
    ):
        async with admin.get("/api/overview") as answer:
            overview = await answer.json()
        not_ready = {"status": "not ready", "reason": "no gateway is connected"}
        assert overview["readiness"] == not_ready
        assert (overview["gateways"], overview["moves"], overview["started_at"]) == (0, None, None)
        assert overview["snakes"] == overview["searchers"] == overview["experiments"] == []
        async with admin.get("/readyz") as answer:
            assert (answer.status, await answer.json()) == (503, not_ready)
        for path in ("/healthz", "/metrics", "/", "/api/games"):
            async with admin.get(path) as answer:
                assert answer.status == 200


async def test_one_console_shows_the_games_of_two_gateways() -> None:
    """Their snakes have their own addresses. One that leaves is not ready, and its games stay."""
    port = free_port()
    async with (
        recording(Settings(admin=AdminAddress("127.0.0.1", port))) as (console, address),
        aiohttp.ClientSession(f"http://127.0.0.1:{port}") as admin,
        asyncio.timeout(PATIENCE),
    ):
        one = GatewaySettings(searcher=NO_SEARCHER, console=address, port=8000)
        two = GatewaySettings(searcher=NO_SEARCHER, console=address, port=9000)
        async with playing(one) as (first, stored):
            async with playing(two) as (second, also_stored):
                for client, game in ((first, "a"), (second, "b")):
                    await post_move(client, body(id=game, timeout=200))
                await stored()
                await also_stored()
                while len(await console.gateways.statuses()) < 2:
                    await asyncio.sleep(0.01)
                async with admin.get("/api/overview") as answer:
                    overview = await answer.json()
                assert overview["gateways"] == 2
                urls = sorted(snake["url"] for snake in overview["snakes"])
                assert urls == ["http://127.0.0.1:8000/", "http://127.0.0.1:9000/"]
                assert [one["address"] for one in overview["searchers"]] == [NO_SEARCHER]
            async with admin.get("/api/overview") as answer:
                overview = await answer.json()
            assert overview["gateways"] == 1
            assert "the gateway at port 9000 has left at " in overview["readiness"]["reason"]
        async with admin.get("/api/games") as answer:
            assert sorted(game["id"] for game in (await answer.json())["games"]) == ["a", "b"]
