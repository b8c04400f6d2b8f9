"""A player that asks a searcher at a gRPC target."""

from typing import Any

import grpc
import grpc.aio

from arena.players.player import CHECK_SECONDS, ChosenMove, FaultError, View
from arena.players.strategy import UNTIMED_SECONDS
from arena.records.model import Fault, Limits
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from searcher.engine.position import Direction, Point, Position

_SLACK = 1.0
"""Seconds after the time limit until a call is abandoned, so that a late answer is recognized."""

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


class GrpcPlayer:
    """Sends each position to a searcher, with a strategy or with the searcher's default strategy."""

    remote = True

    def __init__(self, target: str, strategy: pb.Strategy, limits: Limits) -> None:
        self._target = target
        self._channel = grpc.aio.insecure_channel(target)
        stub: Any = search_pb2_grpc.SearchServiceStub(self._channel)
        self._search, self._list_strategies = stub.Search, stub.ListStrategies
        self._strategy = strategy
        self._limits = limits

    async def check_reachable(self) -> None:
        """List the searcher's strategies, which it does even while it compiles, to see that it answers."""
        try:
            await self._list_strategies(pb.ListStrategiesRequest(), timeout=CHECK_SECONDS)
        except grpc.aio.AioRpcError as error:
            # A match needs nothing but Search.
            if error.code() is not grpc.StatusCode.UNIMPLEMENTED:
                raise ConnectionError(
                    f"no searcher can be reached at {self._target}: {error.details()}"
                ) from error

    async def start(self, view: View) -> None:
        """Do nothing: a searcher keeps no state of a game."""

    async def choose(self, view: View) -> ChosenMove:
        """Return the searcher's move. Raises FaultError for an error of the searcher or of the connection."""
        request = pb.SearchRequest(
            position=_position(view), strategy=self._strategy, limits=_limits(self._limits, view.seed)
        )
        milliseconds = self._limits.milliseconds
        timeout = UNTIMED_SECONDS if milliseconds is None else milliseconds / 1000 + _SLACK
        try:
            found = (await self._search(request, timeout=timeout)).result
        except grpc.aio.AioRpcError as error:
            reason = f"{error.code().name}: {error.details()}"
            raise FaultError(_FAULTS.get(error.code(), "refused"), reason) from error
        return _chosen_move(found, view.position)

    async def end(self, view: View) -> None:
        """Do nothing: a searcher keeps no state of a game."""

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close()


def _chosen_move(found: pb.SearchResult, position: Position) -> ChosenMove:
    if found.move not in _MOVES:
        raise FaultError("invalid", f"move is {found.move}, not a direction")
    ids = [snake.id for snake in position.snakes]
    pv = tuple(
        "".join(_LETTERS.get(joint.moves[id_], "-") if id_ in joint.moves else "-" for id_ in ids)
        for joint in found.principal_variation
    )
    return ChosenMove(_MOVES[found.move], found.depth, found.nodes, round(found.score, 6), pv)


def _limits(limits: Limits, seed: int) -> pb.Limits:
    message = pb.Limits(depth=limits.depth or 0, nodes=limits.nodes or 0, threads=limits.threads, seed=seed)
    if limits.milliseconds is not None:
        message.time.FromMilliseconds(limits.milliseconds)
    return message


def _position(view: View) -> pb.Position:
    position, rules = view.position, view.rules
    return pb.Position(
        game_id=view.game_id,
        turn=position.turn,
        you_id=position.snakes[position.you].id,
        ruleset=pb.Ruleset(
            name=rules.ruleset,
            map=rules.map,
            settings=pb.RulesetSettings(
                food_spawn_chance=rules.food_spawn_chance,
                minimum_food=rules.minimum_food,
                hazard_damage_per_turn=rules.hazard_damage,
                shrink_every_n_turns=rules.shrink_every,
            ),
        ),
        board=pb.Board(
            width=position.width,
            height=position.height,
            food=_points(position.food),
            hazards=_points(position.hazards),
            snakes=[
                pb.Snake(id=snake.id, name=snake.id, health=snake.health, body=_points(snake.body))
                for snake in position.snakes
            ],
        ),
    )


def _points(points: tuple[Point, ...]) -> list[pb.Point]:
    return [pb.Point(x=x, y=y) for x, y in points]
