"""Health and readiness over real sockets."""

import asyncio
from pathlib import Path

import grpc
import pytest
from aiohttp.test_utils import TestClient, TestServer
from grpc_health.v1 import health_pb2

from battlesnake_search.contract import search_pb2
from gateway import app
from gateway.readiness import READINESS
from gateway.settings import NO_CONSOLE, Settings
from tests.console.web.console import running
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE
from tests.gateway.listing_searcher import ListingService
from tests.gateway.scripted_searcher import ScriptedService

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def test_a_gateway_without_a_searcher_is_alive_but_not_ready() -> None:
    """Without a searcher the gateway is healthy but not ready. The public port hides the address."""
    async with scripted_searcher.gateway("127.0.0.1:1") as client:
        async with client.get("/healthz") as answer:
            assert answer.status == 200
        async with client.get("/readyz") as answer:
            assert (answer.status, await answer.json()) == (503, {"status": "not ready"})


@pytest.mark.parametrize("status", [NOT_SERVING, health_pb2.HealthCheckResponse.SERVING])
async def test_a_gateway_is_ready_when_its_searcher_serves(status: int) -> None:
    """Readiness follows the health of the searcher."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once), status=status) as target,
        scripted_searcher.gateway(target) as client,
        client.get("/readyz") as answer,
    ):
        assert answer.status == (503 if status == NOT_SERVING else 200)
        assert await answer.json() == {"status": "not ready" if status == NOT_SERVING else "ready"}


async def test_an_arm_with_an_unknown_name_is_compared_with_no_other(tmp_path: Path) -> None:
    """The gateway of the experiment is not ready. A faulty shadow is a warning."""
    routes = tmp_path / "routes.toml"
    arms = '[[snakes]]\npath = "/"\narms = [{ name = "a", strategy = "paranoid/area" }, '
    for text, is_ready, key in (
        (arms + '{ name = "b", strategy = "paranoid/area" }]', True, "status"),
        (arms + '{ name = "b", strategy = "paranoid/aria" }]', False, "reason"),
        (arms + '{ name = "b" }]\nshadows = [{ name = "c", strategy = "paranoid/aria" }]', True, "warnings"),
    ):
        routes.write_text(text)
        async with scripted_searcher.searcher(ListingService("area")) as target:
            built = app.build(Settings(searcher=target, routes=routes, console=NO_CONSOLE))
            async with TestClient(TestServer(built)):
                readiness = await built[READINESS].read()
        assert readiness.is_ready == is_ready and list(readiness.body)[-1] == key
        reason = readiness.reason
        assert is_ready or ("/, arm b is not searched" in reason and "'aria'" in reason)


@pytest.mark.parametrize("status", [NOT_SERVING, health_pb2.HealthCheckResponse.SERVING])
async def test_the_admin_port_has_the_code_that_is_compiled(status: int) -> None:
    """The sentence also tells whether moves are searched meanwhile. It is missing without such code."""
    now = search_pb2.Compilation(step="compiled crowd/hungry", done=3, total=9)
    now.elapsed.FromSeconds(12)
    for compilation, found in ((now, 1), (None, 0)):
        service = ListingService("area")
        service.listed.MergeFrom(search_pb2.ListStrategiesResponse(compilation=compilation))
        async with scripted_searcher.searcher(service, status=status) as target:
            built = app.build(Settings(searcher=target, strategy="paranoid/area", console=NO_CONSOLE))
            async with TestClient(TestServer(built)):
                readiness = await built[READINESS].read()
        is_serving, sentences = status != NOT_SERVING, readiness.compiling
        assert len(sentences) == found and ("compiling" in readiness.body) == bool(found)
        meanwhile = "moves are searched meanwhile" if is_serving else "moves are reflexes until it serves"
        for sentence in sentences:
            expected = f"compiles code: 3 of 9 functions in 12 s, {meanwhile} (compiled crowd/hungry)"
            assert sentence.endswith(expected)


@pytest.mark.parametrize(
    ("arms", "ready"),
    [
        ('{ name = "a" }, { name = "b", searcher = "127.0.0.1:1" }', False),
        ('{ name = "a" }, { name = "b", searcher = "127.0.0.1:1", weight = 0 }', True),
        ('{ name = "a" }, { name = "b", searcher = ["127.0.0.1:1", "127.0.0.1:2"] }', False),
        ('{ name = "a" }, { name = "b", when = [{ snakes = [3, 8], searcher = "127.0.0.1:1" }] }', False),
        ('{ name = "a" }, { name = "b" }', True),
    ],
)
async def test_an_arm_of_an_experiment_needs_a_searcher(tmp_path: Path, arms: str, ready: bool) -> None:
    """Its moves would be reflexes, so the gateway is not ready. The console's first page has the reason."""
    routes = tmp_path / "routes.toml"
    routes.write_text(f'[[snakes]]\npath = "/"\nexperiment = "x"\narms = [{arms}]\n')
    async with running(routes=routes) as console:
        body = await console.get("/readyz", 200 if ready else 503)
        overview = await console.get("/api/overview")
    assert overview["readiness"]["status"] == body["status"] == ("ready" if ready else "not ready")
    assert ready or "/, arm b is not searched: searcher at 127.0.0.1:1: UNAVAILABLE" in body["reason"]


async def test_an_arm_whose_calls_fail_makes_the_gateway_unready(tmp_path: Path) -> None:
    """Its searcher serves and lists the strategies, but refuses each search. Only the moves show that."""
    refusing = scripted_searcher.refusing(grpc.StatusCode.INTERNAL, 10_000)
    routes = tmp_path / "routes.toml"
    async with scripted_searcher.searcher(ListingService("area", script=refusing)) as target:
        routes.write_text('[[snakes]]\npath = "/"\narms = [{ name = "a" }, { name = "b" }]\n')
        built = app.build(Settings(searcher=target, routes=routes))
        async with TestClient(TestServer(built)) as client:
            assert (await built[READINESS].read()).is_ready
            for game in range(120):
                async with client.post("/move", json=scripted_searcher.body(id=f"game {game}")) as answer:
                    assert answer.status == 200
            async with asyncio.timeout(PATIENCE):
                while (found := await built[READINESS].read()).is_ready:
                    await asyncio.sleep(0.1)
    assert "is hardly searched: calls of its searcher failed for" in found.reason


async def test_an_answer_is_shared_for_a_second() -> None:
    """For any number of concurrent or successive callers, the searcher is called once a second."""

    async def status() -> int:
        async with client.get("/readyz") as answer:
            return answer.status

    service = ListingService("area")
    async with (
        scripted_searcher.searcher(service) as target,
        scripted_searcher.gateway(target) as client,
    ):
        now = asyncio.get_running_loop().time
        assert await status() == 200
        before, began = service.lists, now()
        for _ in range(3):
            assert set(await asyncio.gather(*(status() for _ in range(20)))) == {200}
        assert service.lists - before <= now() - began
        async with asyncio.timeout(PATIENCE):
            while service.lists == before:
                await status()
                await asyncio.sleep(0.05)


@pytest.mark.parametrize("code", [grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED])
async def test_a_gateway_whose_token_is_refused_is_not_ready(code: grpc.StatusCode, tmp_path: Path) -> None:
    """The searcher serves, but not this gateway; the reason names the token, also beside a good searcher."""
    service = ListingService("area", refusals=1000)
    service.refusal = code
    routes = tmp_path / "routes.toml"
    async with (
        scripted_searcher.searcher(service) as target,
        scripted_searcher.searcher(ListingService("area")) as other,
    ):
        for arms, searchers, ready in (
            ('{ name = "a" }', target, False),
            (f'{{ name = "a", searcher = "{other}" }}, {{ name = "b" }}', target, False),
            (f'{{ name = "a", searcher = "{other}" }}, {{ name = "b", weight = 0 }}', target, True),
            (f'{{ name = "a", searcher = ["{target}", "127.0.0.1:1"] }}', other, False),
        ):
            routes.write_text(f'[[snakes]]\npath = "/"\narms = [{arms}]\n')
            built = app.build(Settings(searcher=searchers, routes=routes, console=NO_CONSOLE))
            async with TestClient(TestServer(built)) as client:
                readiness = await built[READINESS].read()
                assert readiness.is_ready == ready
                said = readiness.warnings[0] if ready else readiness.reason
                assert f"{target} refuses the gateway's token: {code.name}" in said
                async with client.get("/readyz") as answer:
                    assert await answer.json() == {"status": readiness.body["status"]}
