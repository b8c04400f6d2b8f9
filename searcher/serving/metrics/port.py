"""What happens at the port: connections, refused calls, answers that nobody takes."""

from prometheus_client import CollectorRegistry, Counter


class PortMetrics:
    """The metrics of a searcher's port. Threads may share it."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.refused = Counter(
            "searcher_calls_refused",
            "Calls that the port refused; token is empty unless the token file has the name.",
            ("reason", "token"),
            registry=registry,
        )
        self.unsent = Counter(
            "searcher_answers_unsent",
            "Answers that could not be sent, because their caller had left or their deadline had passed.",
            registry=registry,
        )
        self.handshakes = Counter(
            "searcher_tls_handshakes", "TLS handshakes that callers began.", registry=registry
        )
        self.connections = Counter(
            "searcher_connections", "Connections on which a call was made.", registry=registry
        )
