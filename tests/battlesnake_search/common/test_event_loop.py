"""The lag of an event loop."""

import asyncio
import time

from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import EventLoopMetrics


async def test_a_blocked_loop_lags() -> None:
    """What was due while it was blocked is late by the rest of the block."""
    registry = CollectorRegistry()
    async with EventLoopMetrics("service", registry).watching():
        await asyncio.sleep(0.9)
        time.sleep(0.4)
        await asyncio.sleep(0.1)
        assert registry.get_sample_value("service_event_loop_lag_seconds_count") == 1
        assert (registry.get_sample_value("service_event_loop_lag_seconds_sum") or 0) > 0.1
        assert registry.get_sample_value("service_tasks") == 2
    assert len(asyncio.all_tasks()) <= 2
