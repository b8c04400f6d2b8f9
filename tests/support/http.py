"""Plain HTTP/1.1 with services on loopback."""

import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException


def answer_of(port: int, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    """The status and body of an answer; 0 and nothing if there is none."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("POST" if body else "GET", path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, HTTPException):
        return 0, b""
    finally:
        connection.close()


def until(condition: Callable[[], bool], seconds: float) -> None:
    """Returns once it holds. Raises TimeoutError."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.02)
