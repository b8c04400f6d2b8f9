"""The gate of a searcher's services: closed while it starts and while it drains."""

from searcher.errors import UnavailableError


class Gate:
    """Says whether services accept requests."""

    def __init__(self) -> None:
        self._closed_because = "the searcher is starting"

    def open(self) -> None:
        """Accept requests from now on."""
        self._closed_because = ""

    def close(self) -> None:
        """Refuse requests from now on; accepted requests still get their responses."""
        self._closed_because = "the searcher is shutting down"

    def require_open(self) -> None:
        """Raise UnavailableError unless requests are accepted."""
        if self._closed_because:
            raise UnavailableError(self._closed_because)
