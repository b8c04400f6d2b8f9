"""The address at which Prometheus reads the metrics."""

import asyncio
import re
from collections.abc import AsyncIterator
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from searcher.serving.address import ListenError
from searcher.serving.metrics import Metrics


@pytest.fixture
async def metrics() -> AsyncIterator[Metrics]:
    """Metrics that are served."""
    metrics = Metrics()
    metrics.listen("127.0.0.1:0")
    yield metrics
    await asyncio.to_thread(metrics.close)


async def read(address: str) -> str:
    """Return what is served at an address."""
    response = await asyncio.to_thread(lambda: urlopen(f"http://{address}/metrics").read())
    assert isinstance(response, bytes)
    return response.decode()


async def test_the_address_has_the_host_and_the_port_in_use(metrics: Metrics) -> None:
    """The metrics are there and count from 0."""
    assert re.fullmatch(r"127\.0\.0\.1:[1-9][0-9]*", metrics.address)
    before = await read(metrics.address)
    assert "searcher_connections_total 0.0" in before.splitlines()
    metrics.connections.inc()
    assert "searcher_connections_total 1.0" in (await read(metrics.address)).splitlines()


async def test_an_address_in_use_is_refused(metrics: Metrics) -> None:
    """The error names the address and the reason, and nothing else."""
    with pytest.raises(ListenError) as caught:
        Metrics().listen(metrics.address)
    assert str(caught.value) == f"cannot serve metrics on {metrics.address}: Address already in use"


async def test_closed_metrics_are_served_no_more() -> None:
    """Their port is free again; metrics that were never served can be closed as well."""
    metrics = Metrics()
    metrics.close()
    metrics.listen("127.0.0.1:0")
    await asyncio.to_thread(metrics.close)
    with pytest.raises(URLError):
        await read(metrics.address)
    again = Metrics()
    again.listen(metrics.address)
    await asyncio.to_thread(again.close)
