"""The calls of the AnalysisService, over a real connection."""

from collections.abc import AsyncIterator

import grpc
import pytest

from battlesnake_search.contract import analysis_pb2 as pb
from battlesnake_search.contract import analysis_pb2_grpc, search_pb2
from battlesnake_search.contract.rulesets import RULESETS
from searcher.positions.move_body import points_of
from searcher.tools.conformance import Transition, position_of
from tests.searcher.engine.positions import transitions
from tests.searcher.real_strategies import RealStrategies
from tests.searcher.requests import duel, message_of
from tests.searcher.serving.calls import serving, violations_in

Stub = analysis_pb2_grpc.AnalysisServiceStub

DIRECTIONS = {
    "up": search_pb2.DIRECTION_UP,
    "down": search_pb2.DIRECTION_DOWN,
    "left": search_pb2.DIRECTION_LEFT,
    "right": search_pb2.DIRECTION_RIGHT,
}


@pytest.fixture
async def stub(logs: None) -> AsyncIterator[Stub]:
    """A stub of a real searcher."""
    async with serving(RealStrategies()) as (_, channel):
        yield Stub(channel)


async def violations(call: "grpc.aio.UnaryUnaryCall[object, object]") -> dict[str, str]:
    """Return what an invalid request's answer says about its fields."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return violations_in(caught.value)


def moves(transition: Transition) -> dict[str, search_pb2.Direction]:
    """Return the moves of a recorded turn as messages have them."""
    return {id_: DIRECTIONS[move] for id_, move in transition.moves.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_advance_plays_what_the_official_engine_played(stub: Stub, ruleset: str) -> None:
    """Bodies, health, food, hazards, deaths with their causes, and the end are those of recorded turns.

    The tests of the engine play all recorded turns.
    """
    recorded = [
        transition
        for transition in transitions()
        if transition.ruleset == ruleset and set(DIRECTIONS).issuperset(transition.moves.values())
    ]
    assert len(recorded) > 90
    for transition in recorded[:: len(recorded) // 90]:
        before, after = message_of(position_of(transition)), transition.after
        answer = await stub.Advance(pb.AdvanceRequest(position=before, moves=moves(transition)))
        board = answer.position.board
        assert [(each.id, each.health, cells(each.body)) for each in board.snakes] == [
            (each.id, each.health, points_of(each.body)) for each in after.snakes
        ]
        assert set(cells(board.food)) == set(points_of(after.food))
        assert (board.hazards, answer.position.turn) == (before.board.hazards, after.turn)
        assert {each.snake_id: (each.cause, each.by_id) for each in answer.deaths} == {
            id_: (death.cause, death.by) for id_, death in transition.eliminated.items()
        }
        assert answer.over == transition.game_over


def cells(points: "list[search_pb2.Point]") -> tuple[tuple[int, int], ...]:
    """Return the cells of messages."""
    return tuple((point.x, point.y) for point in points)


async def test_advance_keeps_the_rest_of_the_position(stub: Stub) -> None:
    """The game, its rules and the names stay as they are; a dead snake is nobody's to move."""
    position = duel()
    up = dict.fromkeys(("me", "you"), search_pb2.DIRECTION_LEFT)
    answer = await stub.Advance(pb.AdvanceRequest(position=position, moves=up))
    assert (answer.position.game_id, answer.position.ruleset) == (position.game_id, position.ruleset)
    assert [snake.name for snake in answer.position.board.snakes] == ["me", "you"]
    assert (answer.position.you_id, answer.over) == ("me", False)
    back = dict.fromkeys(("me", "you"), search_pb2.DIRECTION_UP) | {"you": search_pb2.DIRECTION_LEFT}
    answer = await stub.Advance(pb.AdvanceRequest(position=position, moves=back))
    assert answer.deaths == [pb.Death(snake_id="me", cause="snake-self-collision", by_id="me")]
    assert (answer.position.you_id, answer.over) == ("", True)


async def test_advance_names_invalid_fields(stub: Stub) -> None:
    """Missing and unspecified moves, moves of unknown snakes, and faults of the position are named."""
    request = pb.AdvanceRequest(
        position=duel(), moves={"me": search_pb2.DIRECTION_UNSPECIFIED, "ghost": search_pb2.DIRECTION_UP}
    )
    request.position.board.snakes[1].health = 0
    found = await violations(stub.Advance(request))
    assert found["moves['ghost']"] == "is no snake of the board; valid: 'me', 'you'"
    assert "DIRECTION_LEFT" in found["moves['me']"]
    assert found["moves"] == "must have a move for every snake; 'you' has none"
    assert found["position.board.snakes[1].health"] == "must be 1 to 100, not 0"


async def test_evaluate_says_what_each_weight_contributes(stub: Stub) -> None:
    """The response has a score for each snake, and each weight with its value and what is without it."""
    strategy = search_pb2.Strategy(evaluator="hungry")
    answer = await stub.Evaluate(pb.EvaluateRequest(position=duel(), strategy=strategy))
    assert answer.strategy.evaluator == "hungry"
    assert [snake.snake_id for snake in answer.snakes] == ["me", "you"]
    for snake in answer.snakes:
        assert -1 < snake.score < 1
        assert {effect.name: effect.weight for effect in snake.weights} == dict(answer.strategy.weights)
        assert any(effect.value_without != snake.value for effect in snake.weights)
