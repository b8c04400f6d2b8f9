"""The integral of a number of things."""

from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import Demand
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
    demand.add(-1)
    clock.seconds += 2
    assert registry.get_sample_value("things_seconds_total") == 8
    demand.add(-1)
    clock.seconds += 100
    assert registry.get_sample_value("things_seconds_total") == 8
