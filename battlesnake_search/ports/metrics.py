"""The Prometheus metrics of a port. `service` is the prefix of their names."""

from prometheus_client import CollectorRegistry, Counter

from battlesnake_search.ports import passwords
from battlesnake_search.ports.bounds import EarlyEnd


class PortMetrics:
    """The connections of a port that ended early, and the requests that it refused."""

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self._ended = Counter(
            f"{service}_connections_ended_early",
            "Connections that ended before their request was answered.",
            ["reason"],
            registry=registry,
        )
        for ending in EarlyEnd:
            self._ended.labels(ending.value)
        self._passwords = Counter(
            f"{service}_refused_passwords",
            "Requests to the admin side without a valid token.",
            ["reason"],
            registry=registry,
        )
        for reason in passwords.REASONS:
            self._passwords.labels(reason)

    def count_ending(self, ending: EarlyEnd) -> None:
        """Count a connection that ended early."""
        self._ended.labels(ending.value).inc()

    def count_refused_password(self, reason: str) -> None:
        """Count a request to the admin side without a valid token."""
        self._passwords.labels(reason).inc()
