"""The health check of a container with an HTTP port. It runs often, so it loads only the standard library."""

from http.client import HTTPConnection, HTTPException

_TIMEOUT = 2.0
"""Seconds to wait for an answer."""


def is_alive(port: int) -> bool:
    """Return whether the service at a local port answers /healthz with 200."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
