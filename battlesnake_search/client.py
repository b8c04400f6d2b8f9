"""The asynchronous client."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self, Unpack

import grpc
import grpc.aio

from access.certificates import CertificateFiles
from battlesnake_search.call import Body, SearchCall, SearchOptions, new_call
from battlesnake_search.contract import search_pb2
from battlesnake_search.credentials import CredentialFiles, Credentials
from battlesnake_search.deadlines import Deadlines
from battlesnake_search.errors import SearchError, error_of
from battlesnake_search.results import SearchResult, Strategies, result_of, strategies_of
from battlesnake_search.searcher_client import SearcherClient, SearchReply

_TRANSFER = 0.01
"""Seconds that an answer may take from the searcher to this program."""

_LIST_TIMEOUT = 5.0


class SearchClient:
    """A client of the searchers at a gRPC target, for example localhost:50051 or dns:///searchers:50051.

    `grpcs://host:port` uses TLS: `authorities` is a PEM file of those that may vouch for the searcher, by
    default the well-known ones; `certificate` and `key` are PEM files for a searcher that asks for them. A
    searcher that asks for a token gets `token` with each call. The constructor raises OSError or ValueError
    if a file or the token is invalid.

    An asynchronous context manager, which connects as soon as it is entered; leaving it ends all searches.
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
        self.target = target
        files = CredentialFiles(CertificateFiles(certificate, key, authorities))
        self._credentials = Credentials(files, token)
        self._searchers: SearcherClient | None = None

    async def __aenter__(self) -> Self:
        self._searchers = SearcherClient(self.target, self._credentials)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        searchers, self._searchers = self._connected, None
        await searchers.close()

    async def search(self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]) -> SearchResult:
        """Return the best move for the body's `you` that is found in time.

        `strategy` is search/evaluator or auto, empty for the searcher's default. The result is the best one
        that has arrived when the time is over. A call that a searcher refuses for lack of room, or while it
        starts, is repeated as long as there is time.

        Raises SearchError if no result arrives, BadBody for an invalid body, and ValueError that names the
        argument for an invalid one.
        """
        reply = SearchReply()
        await self._search(new_call(body, strategy, options), reply)
        return _found(reply)

    async def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> AsyncGenerator[SearchResult, None]:
        """Yield the best move so far as the search gets deeper, as `search` does; the last one is its answer.

        Closing the iterator ends the search.
        """
        call = new_call(body, strategy, options)
        reply = _StreamedReply()
        searching = asyncio.create_task(self._search(call, reply))
        searching.add_done_callback(lambda _: reply.arrived.put_nowait(None))
        try:
            while (result := await reply.arrived.get()) is not None:
                yield result
            await searching
            _found(reply)
        finally:
            searching.cancel()
            with suppress(asyncio.CancelledError):
                await searching

    async def strategies(self) -> Strategies:
        """Return what the searcher can play. Raises SearchError if it does not answer within 5 s."""
        try:
            return strategies_of(await self._connected.list_strategies(_LIST_TIMEOUT))
        except grpc.aio.AioRpcError as error:
            raise SearchError(error.code(), error.details() or "") from error

    @property
    def _connected(self) -> SearcherClient:
        if self._searchers is None:
            raise RuntimeError("a client connects in its context: async with SearchClient(...) as client")
        return self._searchers

    async def _search(self, call: SearchCall, reply: SearchReply) -> None:
        answer = asyncio.get_running_loop().time() + call.time
        deadlines = Deadlines(answer - min(_TRANSFER, call.time / 10), answer)
        await self._connected.search(call.request, deadlines, reply=reply)


@dataclass(slots=True)
class _StreamedReply(SearchReply):
    """A reply whose results can be awaited, each as soon as it is the best; None follows the last one."""

    arrived: "asyncio.Queue[SearchResult | None]" = field(default_factory=asyncio.Queue)

    def update(self, response: search_pb2.StreamSearchResponse) -> None:
        """Take a response's result, unless an earlier attempt's was deeper."""
        former = self.result
        SearchReply.update(self, response)
        if self.result is not former and (result := result_of(self)):
            self.arrived.put_nowait(result)


def _found(reply: SearchReply) -> SearchResult:
    result = result_of(reply)
    if result is None:
        raise error_of(reply.failures)
    return result
