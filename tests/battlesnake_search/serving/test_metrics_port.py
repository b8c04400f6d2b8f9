"""The addresses at which Prometheus reads the metrics."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from urllib.request import urlopen

import pytest

from battlesnake_search.serving import metrics_port
from searcher.serving.metrics import Metrics


@pytest.fixture
async def metrics() -> AsyncIterator[Metrics]:
    """Metrics that are served."""
    metrics = Metrics()
    await metrics.ports.listen("127.0.0.1:0")
    yield metrics
    await metrics.ports.close()


async def read(address: str) -> str:
    """Return what is served at an address."""
    response = await asyncio.to_thread(lambda: urlopen(f"http://{address}/metrics").read())
    assert isinstance(response, bytes)
    return response.decode()


PATIENCE = 10.0
"""Seconds."""


async def test_half_requests_hold_neither_files_nor_threads(metrics: Metrics) -> None:
    """Of a thousand half requests a few stay open, and Prometheus is answered meanwhile."""
    [address] = metrics.ports.addresses
    host, _, port = address.rpartition(":")
    threads = threading.active_count()
    async with AsyncExitStack() as stack:
        readers = []
        for _ in range(300):
            reader, writer = await asyncio.open_connection(host, int(port))
            stack.callback(writer.close)
            writer.write(b"GET /metrics HTTP/1.1\r\n")
            readers.append(reader)
        assert "searcher_serving" in await read(address)
        async with asyncio.timeout(PATIENCE):
            assert [await reader.read() for reader in readers[:200]] == [b""] * 200
        assert threading.active_count() < threads + 20


async def test_a_request_has_to_arrive_in_time(metrics: Metrics, monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller that sends a byte now and then is disconnected, and so is one with a head without an end."""
    monkeypatch.setattr(metrics_port, "PATIENCE", 0.3)
    host, _, port = metrics.ports.addresses[0].rpartition(":")
    for sent in (b"GET", b"x" * 100_000):
        reader, writer = await asyncio.open_connection(host, int(port))
        with suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while not reader.at_eof():
                    writer.write(sent)
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1), 0.05)
        writer.close()
