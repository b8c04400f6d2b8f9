"""The client of Python programs with an event loop: a /move body in, the best move out."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

# gRPC reads this variable at its import. Otherwise gRPC would write a line for each failed handshake, and an
# error of the client names the cause.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

import grpc
import grpc.aio

from battlesnake_search import arguments, translate
from battlesnake_search.board import Turn
from battlesnake_search.channels import CredentialFiles, Credentials
from battlesnake_search.common.access import CertificateFiles
from battlesnake_search.contract import analysis_pb2
from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.searcher_client import (
    Failure,
    SearcherClient,
    SearchReply,
    failure_of,
)
from battlesnake_search.translate import Details, MoveResult, RootMove, Strategies

Body = Mapping[str, Any] | bytes | str
"""The body of a /move request: its JSON, or the parsed object."""

_SHARE_OF_TIMEOUT = 0.8
"""The share of a game's timeout that a search takes by default. The rest is for the network."""

_TRANSFER = 0.01
"""Seconds that an answer may take from the searcher to this program."""

_LIST_TIMEOUT = 5.0

_SILENCE = Failure(grpc.StatusCode.DEADLINE_EXCEEDED, "the searcher has not answered in time")


class SearchOptions(TypedDict, total=False):
    """The options of a search; each may be left out.

    `time`: the answer arrives within this number of seconds, at most 60, by default four fifths of the game's
    timeout. `weights` replace weights of the strategy's evaluator, by name. Without a strategy, the search is
    then `paranoid/balanced` with these weights. The search ends earlier at a limit of `depth`, in turns, or
    `nodes`. With such a limit, one thread and the same `seed`, the answer repeats exactly. `threads`: the
    number of search threads, by default one, and idle workers if only time limits the search. `moves`: the
    only moves to consider. `exact`: whether each move gets a score of its own and not only an upper bound,
    for analyses.
    """

    time: float
    weights: Mapping[str, float]
    depth: int
    nodes: int
    threads: int
    seed: int
    moves: Iterable[str]
    exact: bool


class GameOptions(TypedDict, total=False):
    """The options of the analysis of a game; each may be left out.

    The search of each position ends at its limit of `time` (in seconds, at most 60), `depth` (in turns) or
    `nodes`, by default after 0.4 s. A longer search has only a limit of `depth` or `nodes`. With such a limit
    the results repeat exactly. `weights` and `seed` are as in `SearchOptions`. `moves`: the only moves to
    consider. `avoid`: moves that are not considered. Games with a higher `priority` are first.
    `ownership`: whether the results have the owners of the cells. `only_losses`: whether the searches ask
    only which moves are lost, with far fewer nodes.
    """

    time: float
    weights: Mapping[str, float]
    depth: int
    nodes: int
    seed: int
    moves: Iterable[str]
    avoid: Iterable[str]
    priority: int
    ownership: bool
    only_losses: bool


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


@dataclass(frozen=True, slots=True)
class TurnAnalysis:
    """The analysis of a position of a game. Each of the result's moves has a score of its own.

    `index` is the place of the position in the game, from 0. `owners[y][x]` is the id of the snake that
    reaches a cell first; None for a cell that nobody owns. `owners` is None unless it was asked for.
    """

    index: int
    result: SearchResult
    owners: tuple[tuple[str | None, ...], ...] | None


class SearchError(Exception):
    """No result arrived in time. `code` is a gRPC code. The searcher asks to wait `retry_after` seconds.

    DEADLINE_EXCEEDED: the searcher was silent. INVALID_ARGUMENT: the position, the strategy or a limit is
    invalid, and the message names the field. UNAVAILABLE: the searcher starts or ends, or there is no
    connection, and the message names the cause. RESOURCE_EXHAUSTED: the searcher has no room.
    UNAUTHENTICATED: it refuses the token.
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
    `token`, for a searcher that requires one. The constructor raises OSError for a file that can't be read,
    and ValueError for another invalid argument, with its name.

    An asynchronous context manager: entering it connects, and leaving it ends all searches.
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
        self.target = arguments.target_of(target)
        given = {"certificate": certificate, "key": key, "authorities": authorities}
        paths = (arguments.file_of(name, file) for name, file in given.items())
        files = CredentialFiles(CertificateFiles(*paths))
        self._credentials = Credentials(files, arguments.text_of("token", token or ""))
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
        return await self._search(_question(body, strategy, options), SearchReply())

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
        finally:
            searching.cancel()
            with suppress(asyncio.CancelledError):
                await searching

    async def analyze_game(
        self,
        bodies: Iterable[Body],
        strategy: str = "",
        *,
        played: Iterable[str] = (),
        **options: Unpack[GameOptions],
    ) -> AsyncGenerator[TurnAnalysis, None]:
        """Search each position of a game, and yield the analyses as the searches end.

        The searches run while no move of a game needs the searcher. `played` has the move that was played in
        each position, if the moves are known. Such a move gets a score even if it is certain death. Closing
        the iterator ends the searches.

        Raises SearchError, BadBody and ValueError, as `search` does.
        """
        turns = arguments.turns_of(bodies)
        moves = arguments.moves_of("played", played)
        if moves and len(moves) != len(turns):
            raise ValueError(f"played: expected a move for each of {len(turns)} positions, got {len(moves)}")
        request = _game_request(strategy, options)
        asked = zip(turns, moves or [""] * len(turns), strict=True)
        positions = [translate.game_position(turn, move) for turn, move in asked]
        try:
            async for response in self._connected.analyze_game(request, positions):
                found = translate.move_result(response.result)
                assert found is not None
                result = _in_words(found, translate.details(response.result), final=True)
                owners = translate.owners(response, positions[response.index])
                yield TurnAnalysis(response.index, result, owners)
        except grpc.aio.AioRpcError as error:
            raise self._error(failure_of(error)) from error

    async def strategies(self) -> Strategies:
        """Return the searcher's strategies. Raises SearchError if it does not answer within 5 s."""
        try:
            return translate.strategies(await self._connected.list_strategies(_LIST_TIMEOUT))
        except grpc.aio.AioRpcError as error:
            raise self._error(failure_of(error)) from error

    @property
    def _connected(self) -> SearcherClient:
        if self._searchers is None:
            raise RuntimeError("a client connects in its context: async with SearchClient(...) as client")
        return self._searchers

    async def _search(self, question: "_Question", reply: SearchReply) -> SearchResult:
        """Return the best result that arrives in time. Raises SearchError if none arrives."""
        answer = time.monotonic() + question.time
        deadlines = Deadlines(answer - min(_TRANSFER, question.time / 10), answer)
        request = translate.search_request(question.turn, question.plan, question.moves)
        request.limits.exact_root_moves = question.exact
        await self._connected.search(request, deadlines, reply=reply)
        result = _result(reply)
        if result is None:
            raise self._error([_SILENCE, *reply.failures][-1])
        return result

    def _error(self, failure: Failure) -> SearchError:
        details = failure.details
        if failure.code is grpc.StatusCode.UNAUTHENTICATED and not self._credentials.metadata(self.target):
            details = "this searcher asks for a token: give one with token="
        return SearchError(failure.code, details, failure.retry_after)


@dataclass(frozen=True, slots=True)
class _Question:
    """The checked arguments of a search. `time` is the seconds until the answer is due."""

    turn: Turn
    plan: Plan
    moves: Sequence[str]
    time: float
    exact: bool


def _question(body: Body, strategy: str, options: SearchOptions) -> _Question:
    """Check the arguments of a search.

    Raises BadBody for an invalid body, TypeError for an unknown option, and ValueError for an invalid value;
    the error names the field or the argument.
    """
    arguments.check_names(options, SearchOptions.__annotations__)
    turn = arguments.turn_of(body)
    default = min(turn.timeout / 1000 * _SHARE_OF_TIMEOUT, arguments.LONGEST)
    return _Question(
        turn,
        arguments.plan_of(strategy, options),
        arguments.moves_of("moves", options.get("moves", ())),
        arguments.time_of(options.get("time", default)),
        arguments.flag_of("exact", options.get("exact", False)),
    )


def _game_request(strategy: str, options: GameOptions) -> analysis_pb2.AnalyzeGameRequest:
    """Check the options of the analysis of a game. Return its request, without positions."""
    arguments.check_names(options, GameOptions.__annotations__)
    request = translate.game_request(
        arguments.plan_of(strategy, options),
        arguments.moves_of("moves", options.get("moves", ())),
        arguments.moves_of("avoid", options.get("avoid", ())),
    )
    if "time" in options:
        request.limits.time.FromMicroseconds(int(arguments.time_of(options["time"]) * 1e6))
    request.priority = arguments.whole_of("priority", options.get("priority", 0))
    request.ownership = arguments.flag_of("ownership", options.get("ownership", False))
    request.only_losses = arguments.flag_of("only_losses", options.get("only_losses", False))
    return request


@dataclass(slots=True, kw_only=True)
class _StreamedReply(SearchReply):
    """A reply whose results can be awaited as they arrive; None follows the last one."""

    arrived: "asyncio.Queue[SearchResult | None]" = field(default_factory=asyncio.Queue)

    def on_result(self) -> None:
        """Pass the result on."""
        if result := _result(self):
            self.arrived.put_nowait(result)


def _result(reply: SearchReply) -> SearchResult | None:
    """Return the best result that a searcher has sent; None without a result that names a move."""
    found = translate.move_result(reply.result)
    if found is None or reply.result is None:
        return None
    return _in_words(found, translate.details(reply.result), final=reply.final)


def _in_words(found: MoveResult, details: Details, *, final: bool) -> SearchResult:
    return SearchResult(
        found.move,
        found.score,
        found.depth,
        found.nodes,
        found.seconds,
        found.strategy.name if found.strategy else "",
        details.moves,
        details.pv,
        details.stop if final else None,
        final,
    )
