"""The clients of Python programs, with and without an event loop: a /move body in, the best move out."""

import asyncio
import threading
import weakref
from collections.abc import AsyncGenerator, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, TypeVar, Unpack

import grpc
import grpc.aio
import msgspec

from battlesnake_search import translate
from battlesnake_search.board import Turn
from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common.access import CertificateFiles
from battlesnake_search.plan import Deadlines, Limits, Plan
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import Failure, SearcherClient, SearchReply
from battlesnake_search.translate import MOVES, RootMove, Strategies

Body = Mapping[str, Any] | bytes | str
"""The body of a /move request: its JSON, or what that was parsed to."""

_SHARE_OF_TIMEOUT = 0.8
"""The share of a game's timeout that a search takes by default: the network needs the rest."""

_TRANSFER = 0.01
"""Seconds that an answer may take from the searcher to this program."""

_LIST_TIMEOUT = 5.0

_LIMITS = ("depth", "nodes", "threads", "seed")


class SearchOptions(TypedDict, total=False):
    """The options of a search; each may be left out.

    `time`: seconds until the answer is here, by default four fifths of the game's timeout. `weights` replace
    those of the strategy's evaluator, by name. The search ends earlier at a limit of `depth`, in turns, or
    `nodes`; with such a limit, one thread and the same `seed` the answer repeats exactly. `threads`: how many
    to search with, one by default. `moves`: the only ones to consider.
    """

    time: float
    weights: Mapping[str, float]
    depth: int
    nodes: int
    threads: int
    seed: int
    moves: Iterable[str]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move that a search has found, and why.

    `move` is up, down, left or right; `score` is from -1 (lost) to 1 (won); `depth` counts completed turns;
    `seconds` is the search's own time. `strategy` is the one that ran, as search/evaluator: never auto, but
    what auto chose. `moves` has every move that was compared, best first, and `pv` the moves that the search
    expects, turn by turn and by snake id. `final` says whether the search was completed; `stop` is then why:
    time, depth, nodes, solved, only_move or cancelled. `stop` is None if the search was not completed, or if
    the searcher gives another reason.
    """

    move: str
    score: float
    depth: int
    nodes: int
    seconds: float
    strategy: str
    moves: tuple[RootMove, ...]
    pv: tuple[Mapping[str, str], ...]
    stop: str | None
    final: bool


class SearchError(Exception):
    """No result arrived in time. `code` is gRPC's, `retry_after` the seconds that the searcher asks to wait.

    DEADLINE_EXCEEDED: the searcher was silent. INVALID_ARGUMENT: the position, the strategy or a limit is
    invalid, and the message names the field. UNAVAILABLE: nothing listens there, or the searcher starts or
    ends. RESOURCE_EXHAUSTED: it has no room. UNAUTHENTICATED: it wants another token.
    """

    def __init__(self, code: grpc.StatusCode, details: str, retry_after: float = 0.0) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details
        self.retry_after = retry_after


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
        await self._search(_question(body, strategy, options), reply)
        return _found(reply)

    async def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> AsyncGenerator[SearchResult, None]:
        """Yield the best move so far as the search gets deeper, as `search` does; the last one is its answer.

        Closing the iterator ends the search.
        """
        question = _question(body, strategy, options)
        reply = _StreamedReply()
        searching = asyncio.create_task(self._search(question, reply))
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
            return translate.strategies(await self._connected.list_strategies(_LIST_TIMEOUT))
        except grpc.aio.AioRpcError as error:
            raise SearchError(error.code(), error.details() or "") from error

    @property
    def _connected(self) -> SearcherClient:
        if self._searchers is None:
            raise RuntimeError("a client connects in its context: async with SearchClient(...) as client")
        return self._searchers

    async def _search(self, question: "_Question", reply: SearchReply) -> None:
        answer = asyncio.get_running_loop().time() + question.time
        deadlines = Deadlines(answer - min(_TRANSFER, question.time / 10), answer)
        request = translate.search_request(question.turn, question.plan, question.moves)
        await self._connected.search(request, deadlines, reply=reply)


@dataclass(frozen=True, slots=True)
class _Question:
    """The arguments of a search, checked. `time` is in seconds until the answer is due."""

    turn: Turn
    plan: Plan
    moves: Sequence[str]
    time: float


def _question(body: Body, strategy: str, options: SearchOptions) -> _Question:
    """Check the arguments of a search.

    Raises BadBody for an invalid body, TypeError for an unknown option, and ValueError for an invalid value;
    the error names the field or the argument.
    """
    if unknown := options.keys() - SearchOptions.__annotations__.keys():
        raise TypeError(
            f"unknown option {min(unknown)}; there are {', '.join(SearchOptions.__annotations__)}"
        )
    turn = _turn(body)
    time = options.get("time", turn.timeout / 1000 * _SHARE_OF_TIMEOUT)
    if not time > 0:
        raise ValueError(f"time: expected seconds above 0, got {time}")
    moves = list(options.get("moves", ()))
    if unknown_moves := [move for move in moves if move not in MOVES]:
        raise ValueError(f"moves: expected some of {', '.join(MOVES)}, got {unknown_moves[0]!r}")
    plan = Plan(strategy=strategy, evaluator_weights=options.get("weights", {}), limits=_limits(options))
    return _Question(turn, plan, moves, time)


def _turn(body: Body) -> Turn:
    if isinstance(body, Mapping):
        return decode(msgspec.json.encode(body))
    return decode(body.encode() if isinstance(body, str) else body)


def _limits(options: SearchOptions) -> Limits:
    given: Mapping[str, Any] = {name: value for name, value in options.items() if name in _LIMITS and value}
    try:
        return msgspec.convert(given, Limits)
    except msgspec.ValidationError as error:
        reason, _, name = str(error).partition(" - at `$.")
        raise ValueError(f"{name.rstrip('`')}: {reason}") from error


@dataclass(slots=True)
class _StreamedReply(SearchReply):
    """A reply whose results can be awaited, each as soon as it is the best; None follows the last one."""

    arrived: "asyncio.Queue[SearchResult | None]" = field(default_factory=asyncio.Queue)

    def on_result(self) -> None:
        """Pass the result on."""
        if result := _result(self):
            self.arrived.put_nowait(result)


def _found(reply: SearchReply) -> SearchResult:
    result = _result(reply)
    if result is None:
        raise _error(reply.failures)
    return result


def _result(reply: SearchReply) -> SearchResult | None:
    """Return the best result that a searcher has sent; None if it has sent none that names a move."""
    found = translate.move_result(reply.result)
    if found is None or reply.result is None:
        return None
    details = translate.details(reply.result)
    return SearchResult(
        found.move,
        found.score,
        found.depth,
        found.nodes,
        found.seconds,
        found.strategy.name if found.strategy else "",
        details.moves,
        details.pv,
        details.stop if reply.final else None,
        reply.final,
    )


def _error(failures: Sequence[Failure]) -> SearchError:
    """Return the error for a search without a result: the last failure of its attempts, or a silence."""
    if not failures:
        return SearchError(grpc.StatusCode.DEADLINE_EXCEEDED, "the searcher has not answered in time")
    last = failures[-1]
    return SearchError(last.code, last.details, last.retry_after)


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
