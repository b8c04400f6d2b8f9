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
from battlesnake_search.searcher_client import Failure, SearcherClient, SearchReply, reason_of
from battlesnake_search.targets import check_target
from battlesnake_search.translate import MOVES, RootMove, Strategies

Body = Mapping[str, Any] | bytes | str
"""The body of a /move request: its JSON, or the parsed object."""

_SHARE_OF_TIMEOUT = 0.8
"""The share of a game's timeout that a search takes by default. The rest is for the network."""

_TRANSFER = 0.01
"""Seconds that an answer may take from the searcher to this program."""

_LIST_TIMEOUT = 5.0

_LIMITS = ("depth", "nodes", "threads", "seed")

# msgspec reads the annotations of a type at its first use, which threads must not do at the same time.
msgspec.json.Decoder(Limits)


class SearchOptions(TypedDict, total=False):
    """The options of a search; each may be left out.

    `time`: the answer arrives within this number of seconds, by default four fifths of the game's timeout.
    `weights` replace weights of the strategy's evaluator, by name. The search ends earlier at a limit of
    `depth`, in turns, or `nodes`. With such a limit, one thread and the same `seed`, the answer repeats
    exactly. `threads`: the number of search threads, by default one, and idle workers if only time limits the
    search. `moves`: the only moves to consider.
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
    """The best move of a search, and the findings behind it.

    `move` is up, down, left or right; `score` is from -1 (lost) to 1 (won); `depth` counts completed turns;
    `seconds` is the search's own time. `strategy` is the strategy that ran, as
    search/evaluator: auto is replaced by its choice. `moves` has every compared move, best first. `pv` has
    the moves that the search expects, turn by turn and by snake id. `final`: the search was completed.
    `stop` is then the reason: time, depth, nodes, solved, only_move or cancelled. `stop` is None if the
    search was not completed, or if the searcher gives another reason.
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
    """No result arrived in time. `code` is a gRPC code. The searcher asks to wait `retry_after` seconds.

    DEADLINE_EXCEEDED: the searcher was silent. INVALID_ARGUMENT: the position, the strategy or a limit is
    invalid, and the message names the field. UNAVAILABLE: nothing listens there, or the searcher starts or
    ends. RESOURCE_EXHAUSTED: the searcher has no room. UNAUTHENTICATED: it refuses the token.
    """

    def __init__(self, code: grpc.StatusCode, details: str, retry_after: float = 0.0) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details
        self.retry_after = retry_after


class SearchClient:
    """A client of the searchers at a gRPC target, for example localhost:50051 or dns:///searchers:50051.

    `grpcs://host:port` uses TLS: `authorities` is a PEM file of the accepted certificate authorities, by
    default the well-known ones. `certificate` and `key` are PEM files for mutual TLS. Each call sends
    `token`, for a searcher that requires one. The constructor raises OSError or ValueError
    if a file, the target or the token is invalid.

    An asynchronous context manager: entering it connects, and leaving it ends all searches.
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
        check_target(target)
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
        """Return the best move found in time for the body's `you`.

        `strategy` is search/evaluator or auto, empty for the searcher's default. When the time is over, the
        result is the best one that has arrived. If a searcher has no room or is starting, the call is
        repeated until the time is over.

        Raises SearchError if no result arrives, BadBody for an invalid body, and ValueError with the name of
        an invalid argument.
        """
        reply = SearchReply()
        await self._search(_question(body, strategy, options), reply)
        return _found(reply)

    async def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> AsyncGenerator[SearchResult, None]:
        """Yield the best move of each depth; the last one is the answer of `search`.

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
        """Return the searcher's strategies. Raises SearchError if it does not answer within 5 s."""
        try:
            return translate.strategies(await self._connected.list_strategies(_LIST_TIMEOUT))
        except grpc.aio.AioRpcError as error:
            raise SearchError(error.code(), reason_of(error)) from error

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
    """The checked arguments of a search. `time` is the seconds until the answer is due."""

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
    """A reply whose results can be awaited as they arrive; None follows the last one."""

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
    """Return the best result that a searcher has sent; None without a result that names a move."""
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
    """Return the error of a search without a result: its last failure, or DEADLINE_EXCEEDED."""
    if not failures:
        return SearchError(grpc.StatusCode.DEADLINE_EXCEEDED, "the searcher has not answered in time")
    last = failures[-1]
    return SearchError(last.code, last.details, last.retry_after)


_Result = TypeVar("_Result")

_THREAD = "search-client"

_PATIENCE = 5.0
"""Seconds that closing a client may take, so that no fault keeps a program from ending."""

_FORKED = "a forked process can't use the client: start the process by spawn"

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
        """End all searches and the connection; the client is then unusable."""
        self._close()

    def search(self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]) -> SearchResult:
        """Return the best move found in time for the body's `you`, as `SearchClient.search`."""
        return self._run(self._client.search(body, strategy, **options))

    def stream(
        self, body: Body, strategy: str = "", **options: Unpack[SearchOptions]
    ) -> Generator[SearchResult, None, None]:
        """Yield the best move of each depth, as `SearchClient.stream`."""
        results = self._client.stream(body, strategy, **options)
        try:
            while (result := self._run(_next(results))) is not None:
                yield result
        finally:
            # Closing the client has ended the search already. When the program ends, the loop answers no
            # more.
            if self._close.alive:
                self._run(results.aclose())

    def strategies(self) -> Strategies:
        """Return the searcher's strategies, as `SearchClient.strategies`."""
        return self._run(self._client.strategies())

    def _run(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        if not self._close.alive or not _shared_loop().is_running:
            work.close()
            raise RuntimeError(_FORKED if self._close.alive else "the client is closed")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class _SharedLoop:
    """The event loop of all clients. It runs in its own thread while there is a client.

    The loop is never closed, because gRPC reports the ends of calls even after a client is closed.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(_report)
        self._lock = threading.Lock()
        self._clients = 0
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether the loop runs: there is a client, and this process is not a fork of the clients' one."""
        return self._thread is not None and self._thread.is_alive()

    def enter(self) -> asyncio.AbstractEventLoop:
        """Start the loop if needed, and return it for one more client."""
        with self._lock:
            if self._clients and not self.is_running:
                raise RuntimeError(_FORKED)
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
            thread.join(_PATIENCE)


def _report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report an exception in a callback, unless gRPC has a late event for an event loop that is closed.

    The process has one queue of gRPC's events, so any event loop may receive the events of another one.
    """
    if isinstance(context.get("exception"), RuntimeError) and _QUEUE in str(context.get("handle")):
        return
    loop.default_exception_handler(context)


@cache
def _shared_loop() -> _SharedLoop:
    return _SharedLoop()


def _is_in_loop() -> bool:
    return threading.current_thread().name == _THREAD


def _close(client: SearchClient, loop: asyncio.AbstractEventLoop) -> None:
    """Close the client in its event loop, and wait for the end, unless the loop's own thread calls.

    In a forked process, this does nothing.
    """
    if not _shared_loop().is_running:
        return
    closing = asyncio.run_coroutine_threadsafe(client.__aexit__(None, None, None), loop)
    if _is_in_loop():
        closing.add_done_callback(lambda _: _shared_loop().leave())
        return
    with suppress(TimeoutError):
        closing.result(_PATIENCE)
    _shared_loop().leave()


async def _next(results: AsyncGenerator[SearchResult, None]) -> SearchResult | None:
    return await anext(results, None)
