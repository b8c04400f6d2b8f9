"""A searcher at a gRPC target: what it is asked, and the faults of its answers."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest

from arena.players.grpc_target import GrpcPlayer
from arena.players.player import FaultError
from arena.players.strategy import StrategyPlayer
from arena.records import MoveLimits
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from searcher.engine.position import Direction
from searcher.serving.server import Server
from searcher.strategies import AUTO, parse_strategy
from tests.arena.outside_snake import OutsideSnake, running
from tests.arena.players.recorded_views import REQUESTS, recorded_view
from tests.searcher.real_strategies import RealStrategies
from tests.support import grpc_server
from tests.support.services import free_port

NODES = MoveLimits(nodes=1000)
STRATEGY = pb.Strategy(search="paranoid", evaluator="area")
NAMES = sorted(path.stem for path in REQUESTS.glob("*-move-*.json"))

Answer = Callable[[pb.SearchRequest], Awaitable[pb.SearchResult]]


@pytest.fixture
async def searcher() -> AsyncIterator[str]:
    """A real searcher, by its target."""
    server = Server("127.0.0.1:0", 2, RealStrategies())
    target = await server.start()
    await server.warm()
    yield target
    await server.stop(grace=0.0)


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """Serve the answers of a function; yield the target."""

    class Service(search_pb2_grpc.SearchServiceServicer):
        async def Search(self, request: pb.SearchRequest, context: Any) -> pb.SearchResponse:
            return pb.SearchResponse(result=await answer(request))

    async with serving(Service()) as target:
        yield target


@asynccontextmanager
async def serving(service: search_pb2_grpc.SearchServiceServicer) -> AsyncIterator[str]:
    """Serve a service; yield the target."""
    server = grpc_server.server()
    search_pb2_grpc.add_SearchServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(None)


@asynccontextmanager
async def player_of(
    target: str, limits: MoveLimits = NODES, strategy: pb.Strategy = STRATEGY
) -> AsyncIterator[GrpcPlayer]:
    """A player, closed at the end."""
    player = GrpcPlayer(target, strategy, limits)
    try:
        yield player
    finally:
        await player.close()


async def fault_of(player: GrpcPlayer) -> tuple[str, str]:
    """The name and the reason of the fault in the searcher's answer."""
    with pytest.raises(FaultError) as caught:
        await player.choose(recorded_view())
    return caught.value.fault, str(caught.value)


async def test_a_service_that_only_searches_is_reachable() -> None:
    """A searcher needs no other call than Search."""

    async def note(request: pb.SearchRequest) -> pb.SearchResult:
        raise AssertionError("nothing is searched")

    async with answering(note) as target, player_of(target) as player:
        await player.check_reachable()


async def test_a_target_without_a_searcher_is_unreachable() -> None:
    """The error has the target and the reason."""
    target = f"127.0.0.1:{free_port()}"
    async with player_of(target) as player:
        with pytest.raises(
            ConnectionError, match=f"no searcher can be reached at {target}: .*nothing listens"
        ):
            await player.check_reachable()


async def test_a_snake_is_no_searcher() -> None:
    """If an HTTP server listens at the target, the error has the URL of a Battlesnake there."""
    async with running(OutsideSnake()) as url:
        target = url.removeprefix("http://")
        async with player_of(target) as player:
            hint = f"^no searcher can be reached at {target}: an HTTP server listens there. .* write {url}$"
            with pytest.raises(ConnectionError, match=hint):
                await player.check_reachable()


@pytest.mark.parametrize("name", NAMES)
async def test_a_searcher_answers_as_a_search_in_this_process(name: str, searcher: str) -> None:
    """At fixed nodes and seed a searcher answers as a search in this process, with the whole position."""
    view = recorded_view(name)
    async with player_of(searcher) as player:
        await player.start(view)
        there = await player.choose(view)
        await player.end(view)
    here = await StrategyPlayer(parse_strategy("paranoid/area"), NODES, "here").choose(view)
    assert there == here


async def test_the_request() -> None:
    """The request has the position, rules, strategy and limits of the game."""
    asked: list[pb.SearchRequest] = []

    async def note(request: pb.SearchRequest) -> pb.SearchResult:
        asked.append(request)
        return pb.SearchResult(move=pb.DIRECTION_LEFT)

    strategy = pb.Strategy(search="maxn", evaluator="other", weights={"space": 2})
    view = recorded_view("royale-move-late-31")
    async with answering(note) as target:
        limits = MoveLimits(milliseconds=70, depth=5, nodes=900, threads=2)
        async with player_of(target, limits, strategy) as player:
            chosen = await player.choose(view)
    [request] = asked
    assert (chosen.move, chosen.pv) == (Direction.LEFT, ())
    assert request.strategy == strategy
    assert (request.position.game_id, request.position.you_id) == (view.game_id, view.you.snake.id)
    assert (request.position.ruleset.name, request.position.ruleset.map) == ("royale", view.rules.map)
    settings = request.position.ruleset.settings
    assert (settings.minimum_food, settings.food_spawn_chance) == (1, 15)
    assert (settings.hazard_damage_per_turn, settings.shrink_every_n_turns) == (view.rules.hazard_damage, 25)
    asked_limits = request.limits
    assert (asked_limits.depth, asked_limits.nodes, asked_limits.threads) == (5, 900, 2)
    assert (asked_limits.time.ToMilliseconds(), asked_limits.seed) == (70, view.seed)


async def test_an_entrant_may_have_a_long_name() -> None:
    """The name of an entrant with all its weights is longer than a name in the contract."""

    async def up(request: pb.SearchRequest) -> pb.SearchResult:
        assert len(request.position.board.snakes) == len(view.snakes)
        return pb.SearchResult(move=pb.DIRECTION_UP)

    view = recorded_view()
    view = replace(view, snakes=tuple(replace(one, name="n" * 600) for one in view.snakes))
    async with answering(up) as target, player_of(target) as player:
        assert (await player.choose(view)).move is Direction.UP


async def test_a_pv_shows_dead_snakes() -> None:
    """A snake without a move in a joint move is dead."""
    view = recorded_view()
    first, second, *_ = (snake.id for snake in view.position.snakes)

    async def two_turns(_request: pb.SearchRequest) -> pb.SearchResult:
        joint = [{first: pb.DIRECTION_UP, second: pb.DIRECTION_RIGHT}, {second: pb.DIRECTION_DOWN}]
        line = [pb.JointMove(moves=moves) for moves in joint]
        return pb.SearchResult(move=pb.DIRECTION_UP, principal_variation=line)

    async with answering(two_turns) as target, player_of(target) as player:
        chosen = await player.choose(view)
    dead = "-" * (len(view.position.snakes) - 2)
    assert chosen.pv == (f"ur{dead}", f"-d{dead}")


async def test_an_unknown_strategy_is_refused(searcher: str) -> None:
    """The reason has the searcher's message."""
    async with player_of(searcher, strategy=pb.Strategy(search="none", evaluator="area")) as player:
        fault, reason = await fault_of(player)
    assert fault == "refused" and reason.startswith("INVALID_ARGUMENT: ")
    assert "strategy.search: is 'none'; valid: 'paranoid'" in reason


@pytest.mark.parametrize("strategy", [pb.Strategy(), pb.Strategy(search="auto")])
async def test_no_strategy_is_the_searchers_default(searcher: str, strategy: pb.Strategy) -> None:
    """Without a strategy, and with `auto`, the searcher's default plays, as it does in this process."""
    async with player_of(searcher, strategy=strategy) as player:
        for name in ("solo-move-mid-16", "standard-move-mid-42"):
            view = recorded_view(name)
            assert await player.choose(view) == await StrategyPlayer(AUTO, NODES, "here").choose(view)


async def test_a_refused_connection_is_a_crash() -> None:
    """A port that nobody listens on is a crash, move after move."""
    async with player_of("127.0.0.1:9") as player:
        for _ in range(2):
            fault, reason = await fault_of(player)
            assert fault == "crashed"
            assert reason.startswith("UNAVAILABLE: ")


async def test_no_answer_is_late() -> None:
    """The player waits no longer than one second after the time limit."""

    async def sleep(_request: pb.SearchRequest) -> pb.SearchResult:
        await asyncio.sleep(60)
        raise AssertionError("the caller has given up")

    async with answering(sleep) as target, player_of(target, MoveLimits(milliseconds=10)) as player:
        assert (await fault_of(player))[0] == "late"


async def test_an_answer_without_a_move_is_invalid() -> None:
    """A result without a move is invalid."""

    async def nothing(_request: pb.SearchRequest) -> pb.SearchResult:
        return pb.SearchResult()

    async with answering(nothing) as target, player_of(target) as player:
        assert await fault_of(player) == ("invalid", "move is 0, not a direction")


async def test_a_missing_token_is_a_refusal() -> None:
    """The reason has the status and the searcher's words, before the first move and at each move."""

    class Service(search_pb2_grpc.SearchServiceServicer):
        async def Search(self, request: pb.SearchRequest, context: Any) -> None:
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "a token is required")

        ListStrategies = Search

    async with serving(Service()) as target, player_of(target) as player:
        assert await fault_of(player) == ("refused", "UNAUTHENTICATED: a token is required")
        with pytest.raises(ConnectionError, match=f"{target} refuses calls: UNAUTHENTICATED: a token is req"):
            await player.check_reachable()


async def test_the_start_of_a_game_does_not_wait_for_ever() -> None:
    """A searcher that is gone costs its moves and not the match."""
    async with asyncio.timeout(20), player_of(f"127.0.0.1:{free_port()}") as player:
        await player.start(recorded_view())


async def test_a_searcher_has_the_version_of_the_same_code_here(searcher: str) -> None:
    """A strategy has one version wherever it searches, and auto has a version of its own."""
    view = recorded_view()
    versions = []
    for choice, strategy in ((parse_strategy("paranoid/area"), STRATEGY), (AUTO, pb.Strategy())):
        remote = GrpcPlayer(searcher, strategy, NODES)
        try:
            versions.append(await remote.version(view))
        finally:
            await remote.close()
        assert versions[-1] == await StrategyPlayer(choice, NODES, "version").version(view) != ""
    assert len(set(versions)) == 2
