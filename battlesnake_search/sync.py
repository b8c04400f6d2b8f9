"""The client for programs without an event loop."""

import asyncio
from collections.abc import AsyncGenerator, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from battlesnake_search.call import Body, SearchOptions
from battlesnake_search.client import SearchClient
from battlesnake_search.results import SearchResult, Strategies

_Result = TypeVar("_Result")

_LAST_REPORTS = 0.05
"""Seconds after the end of all calls in which gRPC reports it."""


class SyncSearchClient:
    """A SearchClient for programs without an event loop: the same arguments, results and errors.

    Any thread may call its methods, several at once. It runs an event loop in a thread of its own until
    `close`; as a context manager it closes itself.
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
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="search-client")
        self._loop = asyncio.new_event_loop()
        self._thread.submit(self._loop.run_forever)
        self._run(self._client.__aenter__())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End all searches and the connection; the client can't be used any more."""
        self._run(self._client.__aexit__(None, None, None))
        # gRPC reports the end of cancelled calls a little later, and logs an error if their loop is closed.
        self._run(asyncio.sleep(_LAST_REPORTS))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.shutdown()
        self._loop.close()

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
            self._run(results.aclose())

    def strategies(self) -> Strategies:
        """Return what the searcher can play, as `SearchClient.strategies`."""
        return self._run(self._client.strategies())

    def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


async def _next(results: AsyncGenerator[SearchResult, None]) -> SearchResult | None:
    return await anext(results, None)
