"""The health check of a container: python -m console.health exits with 0 if the console answers.

It calls the admin port in ADMIN. It runs often, so it loads only the standard library.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

from battlesnake_search.common.launch import trim_environment

_TIMEOUT = 2.0
"""Seconds to wait for an answer."""

_DEFAULT_PORT = 8001


def is_alive(port: int) -> bool:
    """Return whether the console at a local port answers."""
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
    address = os.environ.get("ADMIN", "")
    # Without an admin port nothing can be asked.
    sys.exit(address != "none" and not is_alive(int(address.rpartition(":")[2] or _DEFAULT_PORT)))
