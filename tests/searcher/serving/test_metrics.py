"""The metrics of a searcher, as Prometheus reads them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.contract import search_pb2_grpc
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.requests import search_request
from tests.searcher.serving.calls import serving

PATIENCE = 10.0
"""Seconds."""


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


@pytest.fixture
async def served(logs: None) -> AsyncIterator[Served]:
    """A searcher whose searches take all the time they get."""
    async with serving() as (server, channel):
        yield Served(search_pb2_grpc.SearchServiceStub(channel), server.metrics.registry)


async def test_a_search_is_counted_by_its_strategy_and_the_reason_of_its_end(served: Served) -> None:
    """With its depth, nodes and time, and the share that it got of the time it asked for."""
    result = (await served.stub.Search(search_request(milliseconds=60))).result
    await served.idle()
    strategy = result.strategy.search + "/" + result.strategy.evaluator
    assert served.value("searcher_searches_total", strategy=strategy, stop_reason="deadline") == 1
    assert served.value("searcher_search_depth_sum", strategy=strategy) == result.depth
    assert served.value("searcher_search_nodes_total", strategy=strategy) == result.nodes
    assert 0 < served.value("searcher_search_seconds_sum", strategy=strategy) < 5
    assert served.value("searcher_time_share_ratio_count") == 1
    assert served.value("searcher_overrun_seconds_count") == 1


async def test_occupancy_is_that_of_the_moment_and_its_integral(served: Served) -> None:
    """Of three searches on one worker one runs; the integral is the time that all of them were there."""
    assert served.value("searcher_workers") == 1
    searches = [asyncio.ensure_future(served.stub.Search(search_request(milliseconds=600))) for _ in range(3)]
    async with asyncio.timeout(PATIENCE):
        while served.value("searcher_searches_waiting") != 2:
            await asyncio.sleep(0.005)
    assert served.value("searcher_searches_running") == 1
    await asyncio.gather(*searches)
    await served.idle()
    assert 0.3 < served.value("searcher_demand_seconds_total") < 3
    assert served.value("searcher_queue_wait_seconds_count") == 3
    assert served.value("searcher_queue_wait_seconds_sum") > 0.1


async def test_the_program_and_its_serving_are_said(logs: None) -> None:
    """Before the warm-up it does not serve."""
    server = Server("127.0.0.1:0", 1, FakeStrategies())
    await server.start()
    registry = server.metrics.registry
    assert registry.get_sample_value("searcher_serving") == 0
    await server.warm()
    assert registry.get_sample_value("searcher_serving") == 1
    [info] = [family for family in registry.collect() if family.name == "searcher_build"]
    assert set(info.samples[0].labels) == {"version", "code", "target", "digest"}
    await server.stop()
    assert registry.get_sample_value("searcher_serving") == 0
