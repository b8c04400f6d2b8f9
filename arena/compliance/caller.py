"""Asks a snake over HTTP as an engine does, and notes what came back and when."""

import os
from dataclasses import dataclass
from time import perf_counter
from types import TracebackType
from typing import Any, Self

import aiohttp
import msgspec

from arena.compliance.requests import Request

PATIENCE = 2
"""How many timeouts an answer is waited for: the engine waits for one; more tells how late it was."""

_HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. Times are in milliseconds from sending the request."""

    milliseconds: float
    """To the body's end, or to the failure."""
    failure: str | None = None
    """Why there is no whole answer, if there is none; it starts with the name of the fault."""
    silent: bool = False
    """Whether it was waited for in vain."""
    status: int = 0
    content_type: str = ""
    content: bytes = b""
    gap: float = 0.0
    """From headers to body; 0 if they arrived together."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The snake to check: its URL, the timeout of games in milliseconds, and how many to play at once."""

    url: str
    timeout: int
    games: int

    def caller(self) -> "Caller":
        """Connections to the snake, none of them open yet."""
        return Caller(self.url, self.timeout)


class Caller:
    """Connections to one snake, kept alive: an async context manager. `connections` counts those opened."""

    def __init__(self, url: str, timeout: int) -> None:
        self.timeout = timeout
        self.connections = 0
        self._url = url.rstrip("/")

    async def __aenter__(self) -> Self:
        trace = aiohttp.TraceConfig()
        trace.on_connection_create_end.append(self._count)
        patience = aiohttp.ClientTimeout(total=PATIENCE * self.timeout / 1000)
        self._session = aiohttp.ClientSession(trace_configs=[trace], timeout=patience, headers=_HEADERS)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._session.close()

    async def post(self, request: Request) -> Answer:
        """Posts a request of an engine."""
        return await self.ask("POST", f"/{request.webhook}", msgspec.json.encode(request.body))

    async def ask(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """Sends a request. `path` is appended to the snake's URL, as the engine does."""
        begun = perf_counter()
        try:
            return await self._answer(method, path, body, begun)
        except TimeoutError:
            waited = _since(begun)
            return Answer(waited, failure=f"late: no answer within {waited:.0f} ms", silent=True)
        except (aiohttp.ClientError, UnicodeError) as error:
            # A host whose name can't be encoded is a UnicodeError.
            return Answer(_since(begun), failure=f"crashed: {_reason(error)}")

    async def _answer(self, method: str, path: str, body: bytes | None, begun: float) -> Answer:
        async with self._session.request(method, f"{self._url}{path}", data=body) as response:
            headers, whole = _since(begun), response.content.is_eof()
            content = await response.read()
        end = _since(begun)
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
        # The errors of looking up a name have numbers of their own, below 0.
        return os.strerror(error.errno) if error.errno > 0 else str(error.strerror)
    return str(error) or type(error).__name__


def _since(begun: float) -> float:
    return (perf_counter() - begun) * 1000
