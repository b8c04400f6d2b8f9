"""The health check of a container: python -m gateway.health exits with 0 if the gateway answers.

It calls the gateway on the port in PORT. It runs often, so it loads only the standard library.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

from battlesnake_search.common.launch import trim_environment

_TIMEOUT = 2.0
"""Seconds to wait for an answer."""

_DEFAULT_PORT = 8000


def is_alive(port: int) -> bool:
    """Return whether the gateway at a local port answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_TIMEOUT)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    trim_environment()
    sys.exit(not is_alive(int(os.environ.get("PORT") or _DEFAULT_PORT)))
