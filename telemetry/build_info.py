"""What runs: the version of the project, and more that a service says of itself."""

from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from prometheus_client import CollectorRegistry
from prometheus_client.core import InfoMetricFamily
from prometheus_client.registry import Collector

_PACKAGE = "battlesnake-search"


def installed_version() -> str:
    """Return the version of the project; "unknown" if it runs without having been installed."""
    try:
        return version(_PACKAGE)
    except PackageNotFoundError:
        return "unknown"


class BuildInfo(Collector):
    """A metric of the constant 1 whose labels say what runs. They are looked up when it is read."""

    def __init__(
        self, service: str, registry: CollectorRegistry, details: Callable[[], Mapping[str, str]] = dict
    ) -> None:
        self._name = f"{service}_build"
        self._details = details
        registry.register(self)

    def collect(self) -> Iterable[InfoMetricFamily]:
        """Yield the metric."""
        labels = {"version": installed_version(), **self._details()}
        yield InfoMetricFamily(self._name, "What runs.", value=labels)
