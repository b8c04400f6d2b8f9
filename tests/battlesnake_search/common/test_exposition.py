"""Metrics as text."""

from prometheus_client import CollectorRegistry, Counter
from prometheus_client.openmetrics.parser import text_string_to_metric_families as open_metrics
from prometheus_client.parser import text_string_to_metric_families as plain

from battlesnake_search.common.metrics import exposition, joined

OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


def _registry(name: str) -> CollectorRegistry:
    registry = CollectorRegistry()
    Counter(name, "Things.", registry=registry).inc(exemplar={"trace_id": "abc"})
    return registry


def test_the_reader_chooses_the_format() -> None:
    """OpenMetrics has exemplars."""
    text, content_type = exposition(_registry("things"), "")
    assert content_type.startswith("text/plain") and b"abc" not in text
    text, content_type = exposition(_registry("things"), OPEN_METRICS)
    assert content_type.startswith("application/openmetrics-text") and b'trace_id="abc"' in text


def test_two_texts_join_in_either_format() -> None:
    """The end of the first one is not in the middle of both."""
    for accept, parse in (("", plain), (OPEN_METRICS, open_metrics)):
        one, other = (exposition(_registry(name), accept)[0] for name in ("things", "others"))
        names = [family.name for family in parse(joined(one, other).decode())]
        assert names[0] == "things" and "others" in names and len(names) == len(set(names))
        assert joined(one, b"") == one
