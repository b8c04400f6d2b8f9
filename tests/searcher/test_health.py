"""The health check of a container."""

import asyncio

import pytest

from searcher.health import is_serving
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies


async def test_only_a_searcher_that_serves_is_healthy(logs: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A searcher that is warming up or has ended is unhealthy. A proxy of the environment is not used."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    server = Server("127.0.0.1:0", 1, FakeStrategies())
    address = await server.start()
    assert not await asyncio.to_thread(is_serving, address)
    await server.warm()
    assert await asyncio.to_thread(is_serving, address)
    await server.stop(0.0)
    assert not await asyncio.to_thread(is_serving, address)
