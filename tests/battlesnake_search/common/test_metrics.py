"""Metrics of all services."""

import asyncio
import time

from prometheus_client import CollectorRegistry, Counter

from battlesnake_search.common.metrics import Demand, EventLoopMetrics, exposition
from tests.support.clock import Clock


def test_the_rate_is_the_average_number() -> None:
    """Two things for three seconds and one for two are eight seconds, whenever it is read."""
    clock, registry = Clock(), CollectorRegistry()
    demand = Demand("things_seconds", "Things.", registry, clock)
    assert registry.get_sample_value("things_seconds_total") == 0
    demand.set(2)
    clock.seconds += 1
    assert registry.get_sample_value("things_seconds_total") == 2
    clock.seconds += 2
    demand.set(1)
    clock.seconds += 2
    assert registry.get_sample_value("things_seconds_total") == 8
    demand.set(0)
    clock.seconds += 100
    assert registry.get_sample_value("things_seconds_total") == 8


async def test_a_blocked_loop_lags() -> None:
    """A callback that was due during a block is late by the rest of the block."""
    registry = CollectorRegistry()
    async with EventLoopMetrics("service", registry).watching():
        await asyncio.sleep(0.9)
        time.sleep(0.4)
        await asyncio.sleep(0.1)
        assert registry.get_sample_value("service_event_loop_lag_seconds_count") == 1
        assert (registry.get_sample_value("service_event_loop_lag_seconds_sum") or 0) > 0.1
        assert registry.get_sample_value("service_tasks") == 2
    assert len(asyncio.all_tasks()) <= 2


def test_the_reader_chooses_the_format() -> None:
    """OpenMetrics has exemplars."""
    registry = CollectorRegistry()
    Counter("things", "Things.", registry=registry).inc(exemplar={"trace_id": "abc"})
    text, content_type = exposition(registry, "")
    assert content_type.startswith("text/plain") and b"abc" not in text
    text, content_type = exposition(registry, "application/openmetrics-text; version=1.0.0")
    assert content_type.startswith("application/openmetrics-text") and b'trace_id="abc"' in text
