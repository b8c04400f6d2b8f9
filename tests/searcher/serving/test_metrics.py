"""The addresses at which Prometheus reads the metrics."""

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

import aiohttp
import grpc
import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.contract import search_pb2_grpc
from searcher.serving import metrics_port
from searcher.serving.address import ListenError
from searcher.serving.metrics import Ended, Metrics, SearchMetrics
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request


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


PATIENCE = 10.0
"""Seconds."""


async def test_half_requests_hold_neither_files_nor_threads(metrics: Metrics) -> None:
    """Of a thousand half requests a few stay open, and Prometheus is answered meanwhile."""
    [address] = metrics.addresses
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
    host, _, port = metrics.addresses[0].rpartition(":")
    for sent in (b"GET", b"x" * 100_000):
        reader, writer = await asyncio.open_connection(host, int(port))
        with suppress(ConnectionError):
            async with asyncio.timeout(PATIENCE):
                while not reader.at_eof():
                    writer.write(sent)
                    with suppress(TimeoutError):
                        await asyncio.wait_for(reader.read(1), 0.05)
        writer.close()


async def test_bytes_that_are_no_request_get_a_status(metrics: Metrics) -> None:
    """The answer is the status 400."""
    host, _, port = metrics.addresses[0].rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(b"\xff\r\n\r\n")
    assert (await asyncio.wait_for(reader.read(), PATIENCE)).startswith(b"HTTP/1.1 400 ")
    writer.close()


@dataclass
class Served:
    """A running searcher with one worker, and how to ask it."""

    stub: search_pb2_grpc.SearchServiceStub
    registry: CollectorRegistry

    def value(self, name: str, **labels: str) -> float:
        """Return a metric's value; 0 if there is none."""
        return self.registry.get_sample_value(name, labels) or 0.0

    async def idle(self) -> None:
        """Wait until no search runs or waits. An overdue search is answered before it ends and is counted."""
        async with asyncio.timeout(PATIENCE):
            while self.value("searcher_searches_running") + self.value("searcher_searches_waiting"):
                await asyncio.sleep(0.005)


@asynccontextmanager
async def serving() -> AsyncIterator[Served]:
    """Run a searcher whose searches take all the time they get."""
    server = Server("127.0.0.1:0", 1, FakeStrategies())
    address = await server.start()
    await server.warm()
    async with grpc.aio.insecure_channel(address) as channel:
        yield Served(search_pb2_grpc.SearchServiceStub(channel), server.port.metrics.registry)
    await server.stop()


async def test_a_search_is_counted_by_its_strategy_and_the_reason_of_its_end(logs: None) -> None:
    """With its depth, nodes and time, and the share that it got of the time it asked for."""
    async with serving() as served:
        result = (await served.stub.Search(search_request(milliseconds=60))).result
        await served.idle()
        strategy = result.strategy.search + "/" + result.strategy.evaluator
        assert served.value("searcher_searches_total", strategy=strategy, stop_reason="deadline") == 1
        assert served.value("searcher_search_depth_sum", strategy=strategy) == result.depth
        assert served.value("searcher_search_nodes_total", strategy=strategy) == result.nodes
        assert 0 < served.value("searcher_search_seconds_sum", strategy=strategy) < 5
        assert served.value("searcher_time_share_ratio_count") == 1
        assert served.value("searcher_overrun_seconds_count") == 1


async def test_occupancy_is_that_of_the_moment_and_its_integral(logs: None) -> None:
    """Of three searches on one worker one runs; the integral is the time that all of them were there."""
    async with serving() as served:
        assert served.value("searcher_workers") == 1
        searches = [
            asyncio.ensure_future(served.stub.Search(search_request(milliseconds=600))) for _ in range(3)
        ]
        async with asyncio.timeout(PATIENCE):
            while served.value("searcher_searches_waiting") != 2:
                await asyncio.sleep(0.005)
        assert served.value("searcher_searches_running") == 1
        await asyncio.gather(*searches)
        await served.idle()
        assert 0.3 < served.value("searcher_demand_seconds_total") < 3
        assert served.value("searcher_queue_wait_seconds_count") == 3
        assert served.value("searcher_queue_wait_seconds_sum") > 0.1


async def test_refused_requests_are_counted_by_their_code(logs: None) -> None:
    """An invalid one, and one that comes while the searcher is not serving."""
    async with serving() as served:
        assert served.value("searcher_searches_refused_total", code="RESOURCE_EXHAUSTED") == 0
        request = search_request()
        request.position.board.width = 0
        with pytest.raises(grpc.aio.AioRpcError):
            await served.stub.Search(request)
        assert served.value("searcher_searches_refused_total", code="INVALID_ARGUMENT") == 1


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [("gzip", "gzip"), ("gzip;q=0.5", "gzip"), ("gzip;q=0", None), ("gzip; q=0, br", None)],
)
async def test_a_refused_coding_is_not_served(metrics: Metrics, accepted: str, coding: str | None) -> None:
    """A reader refuses a coding by q=0."""
    url = f"http://{metrics.addresses[0]}/metrics"
    async with (
        aiohttp.ClientSession(auto_decompress=False) as session,
        session.get(
            url, headers={"Accept-Encoding": accepted, "Accept": "application/openmetrics-text;q=0"}
        ) as answer,
    ):
        assert answer.headers.get("Content-Encoding") == coding
        assert answer.content_type == "text/plain"


async def test_the_program_and_its_serving_are_said(logs: None) -> None:
    """Before the warm-up it does not serve."""
    server = Server("127.0.0.1:0", 1, FakeStrategies())
    await server.start()
    registry = server.port.metrics.registry
    assert registry.get_sample_value("searcher_serving") == 0
    await server.warm()
    assert registry.get_sample_value("searcher_serving") == 1
    [info] = [family for family in registry.collect() if family.name == "searcher_build"]
    assert set(info.samples[0].labels) == {"version", "code", "target", "digest"}
    await server.stop()
    assert registry.get_sample_value("searcher_serving") == 0


def test_a_failed_search_has_no_depth() -> None:
    """Nor a share: it counts as failed, and its wait counts."""
    registry = CollectorRegistry()
    SearchMetrics(registry).count(Ended("paranoid/area", "failed", 0, 0, 0.4, 0.1, 0.0, 0.0, -0.3))
    labels = {"strategy": "paranoid/area", "stop_reason": "failed"}
    assert registry.get_sample_value("searcher_searches_total", labels) == 1
    assert registry.get_sample_value("searcher_search_depth_count", {"strategy": "paranoid/area"}) is None
    assert registry.get_sample_value("searcher_time_share_ratio_count") == 0
    assert registry.get_sample_value("searcher_queue_wait_seconds_sum") == 0.1
