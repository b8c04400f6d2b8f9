"""The Prometheus metrics of a gRPC port. `service` is the prefix of their names."""

from prometheus_client import CollectorRegistry, Counter


class PortMetrics:
    """The refused calls, the unsent answers, and the connections of a port. Threads may share it."""

    def __init__(self, service: str, registry: CollectorRegistry) -> None:
        self.refused = Counter(
            f"{service}_calls_refused",
            "Calls that the port refused; token is empty unless the token file has the name.",
            ("reason", "token"),
            registry=registry,
        )
        self.unsent = Counter(
            f"{service}_answers_unsent",
            "Answers that could not be sent, because their caller had left or their deadline had passed.",
            registry=registry,
        )
        self.handshakes = Counter(
            f"{service}_tls_handshakes", "TLS handshakes that callers began.", registry=registry
        )
        self.connections = Counter(
            f"{service}_connections", "Connections on which a call was made.", registry=registry
        )
        self.closed = Counter(
            f"{service}_connections_closed",
            "Connections that the port closed because of their number, or because no call was made on them.",
            registry=registry,
        )
