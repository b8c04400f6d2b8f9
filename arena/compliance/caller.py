"""HTTP requests to a snake as an engine sends them, with their answers and times."""

import os
from dataclasses import dataclass
from time import perf_counter
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec

from arena.compliance.requests import Request

TIMEOUTS_AWAITED = 2
"""How many timeouts to wait for an answer. The engine waits for one; waiting longer shows how late it is."""

_HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. Times are in milliseconds since the request was sent."""

    milliseconds: float
    """The time of the body's end, or of the failure."""
    failure: str | None = None
    """Why there is no complete answer, starting with the name of the fault; None if there is one."""
    silent: bool = False
    """Whether no answer came in the time awaited."""
    status: int = 0
    content_type: str = ""
    content: bytes = b""
    gap: float = 0.0
    """The time between headers and body; 0 if they arrived together."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The snake to check: its URL, the timeout of games in milliseconds, and the number of parallel games."""

    url: str
    timeout: int
    games: int

    def caller(self) -> "Caller":
        """Return a caller of the snake without open connections."""
        return Caller(self.url, self.timeout)


class Caller:
    """Keep-alive connections to one snake, as an async context manager. `connections` counts those opened."""

    def __init__(self, url: str, timeout: int) -> None:
        self.timeout = timeout
        self.connections = 0
        self._url = url.rstrip("/")

    async def __aenter__(self) -> Self:
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(self._count)
        patience = aiohttp.ClientTimeout(total=TIMEOUTS_AWAITED * self.timeout / 1000)
        self._session = aiohttp.ClientSession(trace_configs=[trace], timeout=patience, headers=_HEADERS)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def post(self, request: Request) -> Answer:
        """Post a request of an engine."""
        return await self.ask("POST", f"/{request.webhook}", msgspec.json.encode(request.body))

    async def ask(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """Send a request; like the engine, append `path` to the snake's URL."""
        started = perf_counter()
        try:
            return await self._answer(method, path, body, started)
        except TimeoutError:
            waited = _since(started)
            return Answer(waited, failure=f"late: no answer within {waited:.0f} ms", silent=True)
        except (aiohttp.ClientError, UnicodeError) as error:
            # A host name that can't be encoded raises UnicodeError.
            return Answer(_since(started), failure=f"crashed: {_reason(error)}")

    async def _answer(self, method: str, path: str, body: bytes | None, started: float) -> Answer:
        async with self._session.request(method, f"{self._url}{path}", data=body) as response:
            headers, whole = _since(started), response.content.is_eof()
            content = await response.read()
        end = _since(started)
        return Answer(
            milliseconds=end,
            status=response.status,
            content_type=response.content_type,
            content=content,
            gap=0.0 if whole else end - headers,
        )

    async def _count(self, *_: Any) -> None:
        self.connections += 1


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.errno:
        # Errors of name resolution have numbers of their own, below 0.
        return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
    return str(error) or type(error).__name__


def _since(started: float) -> float:
    return (perf_counter() - started) * 1000
