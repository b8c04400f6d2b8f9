"""Whether the gateway of this container lives: python -m gateway.health, which exits with 0 if it does.

It looks at the port that PORT names. It needs the standard library alone, since it is asked often.
"""

import os
import sys
from http.client import HTTPConnection, HTTPException

_PATIENCE = 2.0
"""Seconds for an answer."""


def is_alive(port: int) -> bool:
    """Whether the gateway there answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(not is_alive(int(os.environ.get("PORT") or 8000)))
