"""The addresses at which Prometheus reads the metrics."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import aiohttp
import pytest

from searcher.serving.address import ListenError
from searcher.serving.metrics.metrics import Metrics


@pytest.fixture
async def metrics() -> AsyncIterator[Metrics]:
    """Metrics that are served."""
    metrics = Metrics()
    await metrics.listen("127.0.0.1:0")
    yield metrics
    await metrics.close()


async def read(address: str, accept: str = "") -> str:
    """Return what is served at an address."""
    request = Request(f"http://{address}/metrics", headers={"Accept": accept})
    response = await asyncio.to_thread(lambda: urlopen(request).read())
    assert isinstance(response, bytes)
    return response.decode()


async def test_the_address_has_the_host_and_the_port_in_use(metrics: Metrics) -> None:
    """The metrics are there and count from 0."""
    [address] = metrics.addresses
    assert re.fullmatch(r"127\.0\.0\.1:[1-9][0-9]*", address)
    before = await read(address)
    assert "searcher_connections_total 0.0" in before.splitlines()
    metrics.port.connections.inc()
    assert "searcher_connections_total 1.0" in (await read(address)).splitlines()


async def test_open_metrics_is_there_for_who_accepts_it(metrics: Metrics) -> None:
    """It ends with a line of its own, and has exemplars."""
    text = await read(metrics.addresses[0], "application/openmetrics-text; version=1.0.0")
    assert text.endswith("# EOF\n")


async def test_an_address_in_use_is_refused(metrics: Metrics) -> None:
    """The error names the address and the reason, and nothing else."""
    [address] = metrics.addresses
    with pytest.raises(ListenError) as caught:
        await Metrics().listen(address)
    assert str(caught.value) == f"cannot serve metrics on {address}: Address already in use"


async def test_a_unix_socket_serves_as_well(metrics: Metrics, tmp_path: Path) -> None:
    """Several addresses have the same metrics; what a killed searcher has left is no obstacle."""
    socket = tmp_path / "metrics.sock"
    for _ in range(2):
        other = Metrics()
        await other.listen(f"unix:{socket}")
        connector = aiohttp.UnixConnector(str(socket))
        async with (
            aiohttp.ClientSession(connector=connector) as session,
            session.get("http://searcher/metrics") as answer,
        ):
            assert "searcher_connections_total 0.0" in (await answer.text()).splitlines()
        await other.close()
    await metrics.listen(f"unix:{socket}")
    assert metrics.addresses[1] == f"unix:{socket}"


async def test_a_socket_in_use_is_refused(metrics: Metrics, tmp_path: Path) -> None:
    """It belongs to another searcher."""
    address = f"unix:{tmp_path / 'metrics.sock'}"
    await metrics.listen(address)
    with pytest.raises(ListenError, match="another server listens there"):
        await Metrics().listen(address)


async def test_closed_metrics_are_served_no_more() -> None:
    """Their port is free again; metrics that were never served can be closed as well."""
    metrics = Metrics()
    await metrics.close()
    await metrics.listen("127.0.0.1:0")
    [address] = metrics.addresses
    await metrics.close()
    with pytest.raises(URLError):
        await read(address)
    again = Metrics()
    await again.listen(address)
    await again.close()
