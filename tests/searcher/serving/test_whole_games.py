"""The analysis of games, over a real connection."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from battlesnake_search.contract import analysis_pb2 as pb
from battlesnake_search.contract import analysis_pb2_grpc, search_pb2, search_pb2_grpc
from battlesnake_search.serving.port import PortSettings
from searcher.serving import analysis
from searcher.serving.server import Server
from searcher.serving.whole_games import Checks
from tests.battlesnake_search.serving.guarded import PATIENCE, Tokens, bearing, serving
from tests.searcher.engine.positions import recorded_positions
from tests.searcher.fakes import FakeStrategies
from tests.searcher.real_strategies import RealStrategies
from tests.searcher.requests import duel, message_of, search_request, stream_request
from tests.searcher.serving import calls
from tests.searcher.serving.calls import until_searching

Stub = analysis_pb2_grpc.AnalysisServiceStub

UP, DOWN, LEFT, RIGHT = (
    search_pb2.DIRECTION_UP,
    search_pb2.DIRECTION_DOWN,
    search_pb2.DIRECTION_LEFT,
    search_pb2.DIRECTION_RIGHT,
)


@pytest.fixture
async def real() -> AsyncIterator[Stub]:
    """A stub of a real searcher with two workers."""
    async with calls.serving(RealStrategies(), workers=2) as (_, channel):
        yield Stub(channel)


def game(*positions: search_pb2.Position, **fields: object) -> pb.AnalyzeGameRequest:
    """Return a request with these positions."""
    asked = [pb.GamePosition(position=position) for position in positions]
    return pb.AnalyzeGameRequest(positions=asked, **fields)  # type: ignore[arg-type]


async def answers(call: AsyncIterator[pb.AnalyzeGameResponse]) -> list[pb.AnalyzeGameResponse]:
    """Return the answers of a call in the order of the positions."""
    async with asyncio.timeout(PATIENCE):
        found = [each async for each in call]
    assert [each.final for each in found] == [False] * (len(found) - 1) + [True]
    return sorted(found, key=lambda each: each.index)


async def refusal(call: AsyncIterator[pb.AnalyzeGameResponse]) -> grpc.aio.AioRpcError:
    """Return the error of a call."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async with asyncio.timeout(PATIENCE):
            async for _ in call:
                pass
    return caught.value


async def violations(call: AsyncIterator[pb.AnalyzeGameResponse]) -> dict[str, str]:
    """Return what an invalid request's answer says about its fields."""
    return calls.violations_in(await refusal(call))


async def test_every_position_has_exact_scores(real: Stub) -> None:
    """By limits of nodes, the answers repeat. They have the ownership of cells only if it is asked for."""
    positions = [message_of(each) for each in recorded_positions(every=9, large=False)][:12]
    request = game(*positions, limits=search_pb2.Limits(nodes=2000))
    first, second = [await answers(real.AnalyzeGame(request)) for _ in range(2)]
    assert [each.index for each in first] == list(range(len(positions)))
    for one, other, position in zip(first, second, positions, strict=True):
        assert one.result.root_moves == other.result.root_moves
        kinds = {root.score_kind for root in one.result.root_moves}
        assert kinds == {search_pb2.SCORE_KIND_EXACT}
        assert one.result.principal_variation[0].moves[position.you_id] == one.result.move
        assert one.result.strategy.search and one.result.stop_reason
        assert not one.HasField("ownership")
    [owned] = await answers(real.AnalyzeGame(game(duel(), limits=request.limits, ownership=True)))
    assert set(owned.ownership.owners) == {1, 2}


async def test_moves_are_allowed_and_avoided(real: Stub) -> None:
    """The root moves are the allowed ones without the avoided ones."""
    limits = search_pb2.Limits(depth=2)
    [avoiding] = await answers(real.AnalyzeGame(game(duel(), limits=limits, avoided_moves=[LEFT])))
    assert {root.move for root in avoiding.result.root_moves} == {DOWN, RIGHT}
    limits.root_moves.extend([LEFT, DOWN])
    [both] = await answers(real.AnalyzeGame(game(duel(), limits=limits, avoided_moves=[LEFT])))
    assert [root.move for root in both.result.root_moves] == [DOWN]


async def test_the_played_move_always_has_a_score(real: Stub) -> None:
    """Certain death is not considered, and is then the last of the moves."""
    request = game(duel(), duel(), duel(), limits=search_pb2.Limits(depth=2))
    request.positions[1].played_move, request.positions[2].played_move = UP, LEFT
    unknown, into_neck, legal = [each.result for each in await answers(real.AnalyzeGame(request))]
    assert {root.move for root in unknown.root_moves} == {LEFT, DOWN, RIGHT}
    assert into_neck.root_moves[:-1] == unknown.root_moves
    last = into_neck.root_moves[-1]
    assert (last.move, last.outcome.kind, last.outcome.turns) == (UP, search_pb2.OUTCOME_KIND_LOSS, 1)
    assert into_neck.move == unknown.move
    assert legal.root_moves == unknown.root_moves


async def test_a_search_may_ask_only_for_losses(real: Stub) -> None:
    """A move that is not lost has only a lower bound."""
    request = game(duel(), limits=search_pb2.Limits(depth=2), only_losses=True)
    request.positions[0].played_move = UP
    [answer] = await answers(real.AnalyzeGame(request))
    *held, lost = answer.result.root_moves
    assert {root.score_kind for root in held} == {search_pb2.SCORE_KIND_LOWER_BOUND}
    assert not any(root.HasField("outcome") for root in held)
    assert (lost.move, lost.score_kind) == (UP, search_pb2.SCORE_KIND_EXACT)
    assert lost.outcome.kind == search_pb2.OUTCOME_KIND_LOSS


async def test_invalid_fields_are_named(real: Stub) -> None:
    """Faults of positions have their place, and faults of all searches are named once."""
    request = game(duel(), duel(), limits=search_pb2.Limits(depth=200, threads=2))
    request.strategy.evaluator = "greedy"
    request.positions[1].position.you_id = "nobody"
    request.positions[1].MergeFromString(b"\x10\x09")  # a played_move of a later version
    request.MergeFromString(b"\x28\x07")  # such a move to avoid
    found = await violations(real.AnalyzeGame(request))
    assert found["positions[1].position.you_id"] == "is 'nobody'; valid: 'me', 'you'"
    assert "DIRECTION_UP" in found["positions[1].played_move"] and "DIRECTION_UP" in found["avoided_moves[0]"]
    assert found["limits.depth"].startswith("must be 0 to ") and "threads" in " ".join(found)
    assert "'area'" in found["strategy.evaluator"]
    assert len(found) == 6
    found = await violations(real.AnalyzeGame(game(duel(), avoided_moves=[UP, DOWN, LEFT, RIGHT])))
    assert found == {"avoided_moves": "leave no move to consider"}


async def test_closing_the_call_ends_the_searches(
    channel: grpc.aio.Channel, strategies: FakeStrategies
) -> None:
    """No further position is searched."""
    call = Stub(channel).AnalyzeGame(game(*[duel()] * 9, limits=search_pb2.Limits(nodes=10**9)))
    await until_searching(strategies, 2)
    call.cancel()
    async with asyncio.timeout(PATIENCE):
        while strategies.record.running:
            await asyncio.sleep(0.001)
    assert len(strategies.record.clocks) == 2


async def test_too_many_games_are_refused(
    server: Server, channel: grpc.aio.Channel, strategies: FakeStrategies, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says when to try again, and is counted."""
    monkeypatch.setattr(analysis, "MOST_GAMES", 1)
    call = Stub(channel).AnalyzeGame(game(duel(), limits=search_pb2.Limits(nodes=10**9)))
    await until_searching(strategies)
    error = await refusal(Stub(channel).AnalyzeGame(game(duel())))
    assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
    info, status = error_details_pb2.RetryInfo(), rpc_status.from_call(error)
    assert status.details[0].Unpack(info) and info.retry_delay.seconds == 1
    refused = server.metrics.registry.get_sample_value(
        "searcher_searches_refused_total", {"code": "RESOURCE_EXHAUSTED"}
    )
    assert refused == 1
    call.cancel()


async def test_a_token_limits_games(logs: None, tmp_path: Path) -> None:
    """A game counts as one search. Its positions are searched one after another, for the longest time."""
    tokens, strategies = Tokens(tmp_path / "tokens.toml"), FakeStrategies()
    bot = bearing(tokens.put("bot", "searches_at_once = 1", "longest_search = 0.1"))
    async with (
        serving(PortSettings(tokens=tokens.path), strategies) as (_, address),
        grpc.aio.insecure_channel(address) as channel,
    ):
        assert (await refusal(Stub(channel).AnalyzeGame(game(duel())))).code() == (
            grpc.StatusCode.UNAUTHENTICATED
        )
        limits = search_pb2.Limits(nodes=10**9)
        call = Stub(channel).AnalyzeGame(game(*[duel()] * 3, limits=limits), metadata=bot)
        await until_searching(strategies)
        search = search_pb2_grpc.SearchServiceStub(channel).StreamSearch(
            stream_request(search_request(milliseconds=50)), metadata=bot
        )
        with pytest.raises(grpc.aio.AioRpcError, match="too many searches at once"):
            await search.read()
        reasons = {each.result.stop_reason for each in await answers(call)}
        assert reasons == {search_pb2.STOP_REASON_DEADLINE}
        assert strategies.record.most_at_once == 1


def invalid_game(size: int) -> pb.AnalyzeGameRequest:
    """Return a request of about this many bytes, with as many invalid parts of bodies as fit."""
    position = duel()
    del position.board.snakes[0].body[:]
    position.board.snakes[0].body.extend(search_pb2.Point(x=99, y=y) for y in range(100))
    request = game(position)
    return game(*[position] * (size // request.ByteSize()))


async def test_a_large_invalid_game_is_answered_soon(real: Stub) -> None:
    """A megabyte of invalid parts takes a moment; the time grew with the square of their number before."""
    begin = time.monotonic()
    error = await refusal(real.AnalyzeGame(invalid_game(1_000_000), timeout=PATIENCE))
    assert error.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert "and 98 more" in (error.details() or "")
    assert time.monotonic() - begin < 5.0


async def test_the_check_of_a_game_ends_with_its_call() -> None:
    """Other calls run meanwhile, and of several games one position is checked at a time."""
    request = game(*[duel()] * 2_000)
    checks = Checks()
    checking = [asyncio.create_task(checks.game_of(request, FakeStrategies.offer)) for _ in range(3)]
    await asyncio.sleep(0.01)
    assert not any(task.done() for task in checking)
    checking[0].cancel()
    await asyncio.wait(checking[:1], timeout=1.0)
    assert checking[0].cancelled() and not checking[1].done()
    checked = await asyncio.gather(*checking[1:])
    assert [len(each.messages) for each in checked] == [2_000, 2_000]
