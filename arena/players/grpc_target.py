"""A player that calls a searcher at a gRPC target."""

import asyncio
from contextlib import suppress

import grpc
import grpc.aio
import msgspec

from arena.players.player import CHECK_SECONDS, ChosenMove, FaultError, Player, View
from arena.players.request_bodies import Form, request_body
from arena.players.strategy import UNTIMED_SECONDS
from arena.records import Fault, MoveLimits
from battlesnake_search.channels import Credentials
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.reader import decode
from battlesnake_search.searcher_client import HTTP_SERVER, SearcherClient, reason_of
from battlesnake_search.translate import fill_position, version_digest
from searcher.engine.position import Direction, Position

_SLACK = 1.0
"""Seconds after the time limit until a call is abandoned, so that a late answer is recognized."""

_CONNECT_SECONDS = 1.0
"""The most seconds that the start of a game waits for a connection."""

_MOVES = {
    pb.DIRECTION_UP: Direction.UP,
    pb.DIRECTION_DOWN: Direction.DOWN,
    pb.DIRECTION_LEFT: Direction.LEFT,
    pb.DIRECTION_RIGHT: Direction.RIGHT,
}
_LETTERS = {pb.DIRECTION_UP: "u", pb.DIRECTION_DOWN: "d", pb.DIRECTION_LEFT: "l", pb.DIRECTION_RIGHT: "r"}

_FAULTS: dict[grpc.StatusCode, Fault] = {
    grpc.StatusCode.DEADLINE_EXCEEDED: "late",
    grpc.StatusCode.UNAVAILABLE: "crashed",
}
"""The faults by status code. Any other code is the fault "refused"."""


class GrpcPlayer(Player):
    """Sends each position to a searcher, with a strategy or with the searcher's default strategy.

    `grpcs://host:port` is a target with TLS. Calls send the credentials.
    """

    remote = True

    def __init__(
        self, target: str, strategy: pb.Strategy, limits: MoveLimits, credentials: Credentials | None = None
    ) -> None:
        self._client = SearcherClient(target, credentials)
        self._strategy = strategy
        self._limits = limits

    async def check_reachable(self) -> None:
        """List the strategies, because the searcher answers this call even while it compiles."""
        target = self._client.target
        try:
            await self._client.list_strategies(CHECK_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in _FAULTS:
                reason = self._obstacle(error)
                raise ConnectionError(f"no searcher can be reached at {target}: {reason}") from error
            # A searcher may lack this call, because a match needs only Search.
            if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
                raise ConnectionError(f"the searcher at {target} refuses calls: {_reason(error)}") from error

    def _obstacle(self, error: grpc.aio.AioRpcError) -> str:
        """Return in words why there is no connection."""
        if HTTP_SERVER not in (reason := reason_of(error)):
            return reason
        return f"{HTTP_SERVER}. For a Battlesnake write http://{self._client.target.rpartition('/')[2]}"

    async def version(self, view: View) -> str:
        """Search one turn ahead, because only the result of a search has the digests of the code."""
        limits = pb.Limits(depth=1)
        request = pb.SearchRequest(position=_position(view), strategy=self._strategy, limits=limits)
        try:
            found = await self._client.search_once(request, CHECK_SECONDS)
        except grpc.aio.AioRpcError:
            # It may still compile, and the match has other ways to tell a searcher that never answers.
            return ""
        return version_digest(found.strategy, found.code_digest, found.choice_digest)

    async def start(self, view: View) -> None:
        """Wait for the connection, so that the first move has all of its time."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._client.ready(), _CONNECT_SECONDS)

    async def choose(self, view: View) -> ChosenMove:
        """Return the searcher's move. Raises FaultError for an error of the searcher or of the connection."""
        request = pb.SearchRequest(
            position=_position(view), strategy=self._strategy, limits=_limits(self._limits, view.seed)
        )
        milliseconds = self._limits.milliseconds
        timeout = UNTIMED_SECONDS if milliseconds is None else milliseconds / 1000 + _SLACK
        try:
            found = await self._client.search_once(request, timeout)
        except grpc.aio.AioRpcError as error:
            raise FaultError(_FAULTS.get(error.code(), "refused"), _reason(error)) from error
        return _chosen_move(found, view.position)

    async def close(self) -> None:
        """Close the connection."""
        await self._client.close()


def _reason(error: grpc.aio.AioRpcError) -> str:
    return f"{error.code().name}: {error.details()}"


def _chosen_move(found: pb.SearchResult, position: Position) -> ChosenMove:
    if found.move not in _MOVES:
        raise FaultError("invalid", f"move is {found.move}, not a direction")
    ids = [snake.id for snake in position.snakes]
    pv = tuple(
        "".join(_LETTERS.get(joint.moves[id_], "-") if id_ in joint.moves else "-" for id_ in ids)
        for joint in found.principal_variation
    )
    return ChosenMove(_MOVES[found.move], found.depth, found.nodes, round(found.score, 6), pv)


def _limits(limits: MoveLimits, seed: int) -> pb.Limits:
    message = pb.Limits(depth=limits.depth or 0, nodes=limits.nodes or 0, threads=limits.threads, seed=seed)
    if limits.milliseconds is not None:
        message.time.FromMilliseconds(limits.milliseconds)
    return message


def _position(view: View) -> pb.Position:
    """Return the position as a gateway would send it after a request of the official engine."""
    message = pb.Position()
    fill_position(message, decode(msgspec.json.encode(request_body(Form.OFFICIAL, view, timeout=0))))
    return message
