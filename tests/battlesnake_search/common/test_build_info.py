"""What runs, as a metric."""

from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import BuildInfo, installed_version


def test_the_version_and_the_details_are_labels() -> None:
    """The value is always 1."""
    registry = CollectorRegistry()
    BuildInfo("service", registry, lambda: {"code": "prebuilt"})
    labels = {"version": installed_version(), "code": "prebuilt"}
    assert registry.get_sample_value("service_build_info", labels) == 1
