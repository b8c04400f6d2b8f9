"""Plain HTTP/1.1 requests to services of this machine."""

import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException

from tests.support import admin

_HEADERS = {"Content-Type": "application/json"} | admin.HEADERS


def answer_of(port: int, path: str, body: bytes | None = None, host: str = "127.0.0.1") -> tuple[int, bytes]:
    """Return the status and body of a response; 0 and an empty body if there is none."""
    connection = HTTPConnection(host, port, timeout=10)
    try:
        connection.request("POST" if body else "GET", path, body, _HEADERS)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()


def wait_until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait until the condition holds. Raises TimeoutError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)
