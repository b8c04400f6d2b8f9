"""The client for programs without an event loop."""

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Coroutine, Generator
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from battlesnake_search.client import Body, SearchClient, SearchOptions, SearchResult
from battlesnake_search.translate import Strategies

_Result = TypeVar("_Result")

_THREAD = "search-client"


class SyncSearchClient:
    """A SearchClient for programs without an event loop: the same arguments, results and errors.

    Any thread may call its methods, several at once. As a context manager it closes itself. A client that is
    not closed closes when it is forgotten, or when the program ends.
    """

    def __init__(
        self,
        target: str,
        *,
        token: str = "",
        authorities: Path | None = None,
        certificate: Path | None = None,
        key: Path | None = None,
    ) -> None:
        self._client = SearchClient(
            target, token=token, authorities=authorities, certificate=certificate, key=key
        )
        self._loop = _shared_loop().enter()
        asyncio.run_coroutine_threadsafe(self._client.__aenter__(), self._loop).result()
        self._close = weakref.finalize(self, _close, self._client, self._loop)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all searches and the connection; the client can't be used any more."""
        self._close()

    def search(self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]) -> SearchResult:
        """Return the best move for the body's `you` that is found in time, as `SearchClient.search`."""
        return self._run(self._client.search(body, strategy, **options))

    def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> Generator[SearchResult, None, None]:
        """Yield the best move so far as the search gets deeper, as `SearchClient.stream`."""
        results = self._client.stream(body, strategy, **options)
        try:
            while (result := self._run(_next(results))) is not None:
                yield result
        finally:
            # A closed client has ended the search. When the program ends, the loop answers no more.
            if self._close.alive:
                self._run(results.aclose())

    def strategies(self) -> Strategies:
        """Return what the searcher can play, as `SearchClient.strategies`."""
        return self._run(self._client.strategies())

    def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        if not self._close.alive:
            work.close()
            raise RuntimeError("the client is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class _SharedLoop:
    """The event loop of all clients. It runs in a thread of its own as long as there is a client.

    gRPC reports the ends of calls to it after a client is closed, so that the loop itself is never closed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._clients = 0
        self._thread: threading.Thread | None = None

    def enter(self) -> asyncio.AbstractEventLoop:
        """Return the loop, which runs now, for one more client."""
        with self._lock:
            self._clients += 1
            if self._clients == 1:
                if self._thread:
                    self._thread.join()
                self._thread = threading.Thread(target=self._loop.run_forever, name=_THREAD, daemon=True)
                self._thread.start()
            return self._loop

    def leave(self) -> None:
        """Stop the loop if this was the last client."""
        with self._lock:
            self._clients -= 1
            thread = self._thread if not self._clients else None
            if thread:
                self._loop.call_soon_threadsafe(self._loop.stop)
        if thread and not _is_in_loop():
            thread.join()


@cache
def _shared_loop() -> _SharedLoop:
    return _SharedLoop()


def _is_in_loop() -> bool:
    return threading.current_thread().name == _THREAD


def _close(client: SearchClient, loop: asyncio.AbstractEventLoop) -> None:
    """Close the client in its event loop, and wait for the end unless the garbage collector calls there."""
    closing = asyncio.run_coroutine_threadsafe(client.__aexit__(None, None, None), loop)
    if _is_in_loop():
        closing.add_done_callback(lambda _: _shared_loop().leave())
        return
    closing.result()
    _shared_loop().leave()


async def _next(results: AsyncGenerator[SearchResult, None]) -> SearchResult | None:
    return await anext(results, None)
