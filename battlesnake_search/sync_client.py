"""The client for programs without an event loop. It runs a SearchClient in a thread of its own."""

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from battlesnake_search.client import (
    Body,
    GameOptions,
    SearchClient,
    SearchOptions,
    SearchResult,
    TurnAnalysis,
)
from battlesnake_search.translate import Strategies

_Result = TypeVar("_Result")

_PATIENCE = 5.0
"""Seconds that closing a client may take, so that no fault keeps a program from ending."""

_QUEUE = "PollerCompletionQueue"
"""The class of gRPC's queue, in the callbacks of an event loop."""


class SyncSearchClient:
    """A SearchClient for programs without an event loop: the same arguments, results and errors.

    Threads may call its methods at the same time, but a forked process can't. As a context manager it closes
    itself. Otherwise it closes when it is garbage-collected, or when the program ends.
    """

    def __init__(
        self,
        target: str,
        *,
        token: str = "",
        authorities: Path | str | None = None,
        certificate: Path | str | None = None,
        key: Path | str | None = None,
    ) -> None:
        self._client = SearchClient(
            target, token=token, authorities=authorities, certificate=certificate, key=key
        )
        _submit(self._client.__aenter__()).result()
        self._close = weakref.finalize(self, _close, self._client)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all searches and the connection; the client is then unusable."""
        self._close()

    def search(self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]) -> SearchResult:
        """Return the best move found in time for the body's `you`, as `SearchClient.search`."""
        return self._run(self._client.search(body, strategy, **options))

    def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> Generator[SearchResult, None, None]:
        """Yield the best move of each depth, as `SearchClient.stream`."""
        yield from self._each(self._client.stream(body, strategy, **options))

    def analyze_game(
        self,
        bodies: Iterable[Body],
        strategy: str = "",
        *,
        played: Iterable[str] = (),
        **options: Unpack[GameOptions],
    ) -> Generator[TurnAnalysis, None, None]:
        """Yield the analysis of each position, as `SearchClient.analyze_game`."""
        yield from self._each(self._client.analyze_game(bodies, strategy, played=played, **options))

    def strategies(self) -> Strategies:
        """Return the searcher's strategies, as `SearchClient.strategies`."""
        return self._run(self._client.strategies())

    def _each(self, results: AsyncGenerator[_Result, None]) -> Generator[_Result, None, None]:
        """Yield the results of the asynchronous client."""
        try:
            while (result := self._run(_next(results))) is not None:
                yield result
        finally:
            # Closing the client has ended the search already. When the program ends, the loop answers no
            # more.
            if self._close.alive:
                self._run(results.aclose())

    def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        if not self._close.alive:
            work.close()
            raise RuntimeError("the client is closed")
        return _submit(work).result()


class _SharedLoop:
    """The event loop of all clients, and the thread that runs it.

    The loop is never closed, because gRPC reports the ends of calls even after a client is closed.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.set_exception_handler(_report)
        self.thread = threading.Thread(target=self.loop.run_forever, name="search-client", daemon=True)
        self.thread.start()


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an exception in a callback, unless gRPC has a late event for an event loop that is closed.

    The process has one queue of gRPC's events, so any event loop may receive the events of another one.
    """
    if isinstance(context.get("exception"), RuntimeError) and _QUEUE in str(context.get("handle")):
        return
    loop.default_exception_handler(context)


_starting = threading.RLock()
"""Held while the loop starts. The garbage collector may close a client of the thread that holds it."""


@cache
def _shared() -> _SharedLoop:
    return _SharedLoop()


def _submit(work: Coroutine[Any, Any, _Result]) -> "Future[_Result]":
    """Run work in the loop of all clients. Raises RuntimeError in a fork of the clients' process."""
    with _starting:
        shared = _shared()
    if not shared.thread.is_alive():
        work.close()
        raise RuntimeError("a forked process can't use the client: start the process by spawn")
    return asyncio.run_coroutine_threadsafe(work, shared.loop)


def _close(client: SearchClient) -> None:
    """Close the client in its event loop, and wait for the end, unless the loop's own thread calls.

    In a forked process, this does nothing.
    """
    with suppress(TimeoutError, RuntimeError):
        closing = _submit(client.__aexit__(None, None, None))
        if threading.current_thread() is not _shared().thread:
            closing.result(_PATIENCE)


async def _next(results: AsyncGenerator[_Result, None]) -> _Result | None:
    return await anext(results, None)
