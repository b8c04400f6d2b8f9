"""The metrics of what is recorded."""

from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import exposition
from console.store.metrics import RecordMetrics


def test_lost_records_are_told_apart_from_written_ones() -> None:
    """The console shows how many are missing."""
    metrics = RecordMetrics(CollectorRegistry())
    assert metrics.records.lost == 0
    metrics.records.count("written", 5)
    metrics.records.count("lost", 2)
    metrics.records.count("lost", 1)
    assert metrics.records.lost == 3
    text = exposition(metrics.registry, "")[0].decode()
    assert 'console_game_records_total{fate="written"} 5.0' in text
    assert 'console_game_records_total{fate="lost"} 3.0' in text
