"""Health and readiness over real sockets."""

import asyncio
import re
from pathlib import Path

import pytest
from aiohttp.test_utils import TestClient, TestServer
from grpc_health.v1 import health_pb2

from gateway import app
from gateway.readiness import readiness
from gateway.store.database import read_database
from tests.gateway import scripted_searcher
from tests.gateway.admin.console import running
from tests.gateway.listing_searcher import ListingService
from tests.gateway.scripted_searcher import ScriptedService

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def test_a_gateway_without_a_searcher_is_alive_but_not_ready() -> None:
    """Without a searcher the gateway is healthy but not ready; strangers do not learn where it looked."""
    async with scripted_searcher.gateway("127.0.0.1:1") as client:
        async with client.get("/healthz") as answer:
            assert answer.status == 200
        async with client.get("/readyz") as answer:
            assert (answer.status, await answer.json()) == (503, {"status": "not ready"})


async def test_the_admin_port_has_the_reason() -> None:
    """Operators see on the admin port why the gateway is not ready."""
    async with running(status=NOT_SERVING) as console:
        reason = (await console.get("/readyz", 503))["reason"]
    assert "127.0.0.1:" in reason and "NOT_SERVING" in reason


async def test_the_admin_port_has_the_state_of_the_database(tmp_path: Path) -> None:
    """It is missing without a database. A database that does not open keeps no gateway from being ready."""
    file = tmp_path / "file"
    file.touch()
    for url, state in (
        ("none", None),
        (str(tmp_path / "outcomes.sqlite"), "connected"),
        (str(file / "outcomes.sqlite"), r"lost since .* UTC: \w+: .*"),
    ):
        async with running(outcomes=read_database(url)) as console, asyncio.timeout(20):
            while (body := await console.get("/readyz")).get("database") == "not opened yet":
                await asyncio.sleep(0.05)
        assert body["status"] == "ready"
        assert body.get("database") is state or re.fullmatch(str(state), body["database"])


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


async def test_warnings_are_told_only_if_there_are_any(tmp_path: Path) -> None:
    """An arm that can't be searched leaves a gateway ready as long as another one can."""
    routes = tmp_path / "routes.toml"
    for strategy, faults in (("paranoid/area", 0), ("paranoid/aria", 1)):
        routes.write_text(
            '[[snakes]]\npath = "/"\narms = [{ name = "a", strategy = "paranoid/area" }, '
            f'{{ name = "b", strategy = "{strategy}" }}]\n'
        )
        async with scripted_searcher.searcher(ListingService("area")) as target:
            built = app.build(target, "", routes_file=routes)
            async with TestClient(TestServer(built)):
                body, status = await readiness(built)
        assert (status, body["status"]) == (200, "ready")
        assert len(body.get("warnings", [])) == faults and ("warnings" in body) == bool(faults)
