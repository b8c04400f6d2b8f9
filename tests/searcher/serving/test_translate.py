"""Translation of requests to tasks and of results to messages."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration

from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.position import Direction
from searcher.engine.result import Limits, Result, RootMove, ScoreKind, Scores, StopReason
from searcher.serving.translate import result_message, strategies_message, task_of
from searcher.strategies import offer
from searcher.tools.conformance import position_of, read_transitions
from tests.searcher.fakes import OFFER
from tests.searcher.own_rules import OWN, position_with
from tests.searcher.requests import message_of, search_request

RESULT = Result(Direction.UP, 0.0, 1, 1, 1, 0, 0.0, 0.0, None, (), ())

TRANSITIONS = Path(__file__).parents[2] / "fixtures" / "transitions.jsonl.gz"


@pytest.mark.parametrize(
    ("ruleset", "map_name", "shrink_every"),
    [
        ("royale", "", 25),
        ("wrapped", "royale", 25),
        ("standard", "standard", 0),
        ("solo", "hz_spiral", 0),
    ],
)
def test_hazards_close_in_by_royale_alone(ruleset: str, map_name: str, shrink_every: int) -> None:
    """Engines send the setting in every game; it counts only with the royale ruleset or map."""
    request = search_request()
    request.position.ruleset.name, request.position.ruleset.map = ruleset, map_name
    assert task_of(request, OFFER).position.ruleset.shrink_every == shrink_every


def test_omitted_fields_have_defaults() -> None:
    """The default ruleset is standard, the strategy is the offer's default, and there are no limits."""
    request = search_request()
    request.position.ClearField("ruleset")
    task = task_of(request, OFFER)
    assert task.position.ruleset.name == "standard"
    assert task.strategy == OFFER.default
    assert (task.time, task.limits) == (None, Limits())
    assert task.takes_idle


def test_limits_are_translated() -> None:
    """The task has the time, depth, nodes, moves, threads and seed of the request."""
    request = search_request(depth=7)
    request.limits.MergeFrom(
        pb.Limits(
            time=Duration(seconds=1, nanos=500_000_000),
            nodes=2**64 - 1,
            root_moves=[pb.DIRECTION_RIGHT, pb.DIRECTION_UP],
            threads=2,
            seed=2**64 - 1,
            exact_root_moves=True,
        )
    )
    task = task_of(request, OFFER)
    assert task.time == 1.5
    assert (task.limits.depth, task.limits.threads, task.limits.seed) == (7, 2, 2**64 - 1)
    assert not task.takes_idle
    assert task.limits.root_moves == (Direction.RIGHT, Direction.UP)
    assert task.limits.nodes is not None
    assert 10**15 < task.limits.nodes < 2**63
    assert task.limits.scores is Scores.ALL


@pytest.mark.parametrize("limits", [pb.Limits(depth=3), pb.Limits(nodes=100), pb.Limits(threads=1)])
def test_only_time_lets_idle_workers_help(limits: pb.Limits) -> None:
    """With another limit the answer must repeat, and a number of threads is exact."""
    request = search_request()
    request.limits.CopyFrom(limits)
    assert not task_of(request, OFFER).takes_idle


def test_hazards_off_the_board_are_ignored() -> None:
    """Some official maps store their state in hazards off the board."""
    request = search_request()
    request.position.board.hazards.add(x=3, y=11)
    assert task_of(request, OFFER).position.hazards == ((10, 10), (10, 10), (3, 4))


@pytest.mark.parametrize(("sent", "meant"), [(250, 100), (-2_000, -100), (15, 15)])
def test_hazard_damage_is_clamped_to_full_health(sent: int, meant: int) -> None:
    """Damage of more than 100 in a layer has the effect of 100."""
    request = search_request()
    request.position.ruleset.settings.hazard_damage_per_turn = sent
    assert task_of(request, OFFER).position.ruleset.hazard_damage == meant


def test_every_recorded_position_is_valid() -> None:
    """Every position that the official engine played is accepted and translated without loss."""
    for transition in read_transitions(TRANSITIONS):
        position = position_of(transition)
        request = pb.SearchRequest(position=message_of(position))
        assert task_of(request, OFFER).position == position


@pytest.mark.parametrize("reason", [None, *StopReason])
@pytest.mark.parametrize("move", Direction)
def test_results_are_translated(move: Direction, reason: StopReason | None) -> None:
    """The message has every field of the result; dead snakes have no move in it."""
    bounded = RootMove(move, 0.5, 3, None, ScoreKind.UPPER_BOUND)
    result = replace(
        RESULT,
        move=move,
        score=-0.25,
        depth=3,
        nodes=2**40,
        evaluations=7,
        table_hits=5,
        table_fill=0.25,
        stop_reason=reason,
        root_moves=(RootMove(move, 0.5, 3, None), bounded),
        principal_variation=((move, move), (move, None)),
    )
    message = result_message(result, task_of(search_request(), OFFER))
    assert pb.Direction.Name(message.move) == f"DIRECTION_{move.name}"
    assert (message.score, message.depth, message.nodes) == (-0.25, 3, 2**40)
    assert (message.evaluations, message.table_hits, message.table_fill) == (7, 5, 0.25)
    said = pb.StopReason.Name(message.stop_reason)
    assert said == f"STOP_REASON_{reason.name if reason else 'UNSPECIFIED'}"
    assert [set(joint.moves) for joint in message.principal_variation] == [{"me", "you"}, {"me"}]
    assert not message.root_moves[0].HasField("outcome")
    kinds = [each.score_kind for each in message.root_moves]
    assert kinds == [pb.SCORE_KIND_EXACT, pb.SCORE_KIND_UPPER_BOUND]


@pytest.mark.parametrize(
    ("seconds", "nanoseconds"),
    [(0.5, 500_000_000), (math.nextafter(1.0, 0.0), 999_999_999), (3.0, 3 * 10**9)],
)
def test_the_time_of_a_result_is_a_valid_duration(seconds: float, nanoseconds: int) -> None:
    """It is whole nanoseconds, less than a second of them besides the seconds."""
    elapsed = result_message(replace(RESULT, elapsed=seconds), task_of(search_request(), OFFER)).elapsed
    assert (elapsed.ToNanoseconds(), elapsed.nanos) == (nanoseconds, nanoseconds % 10**9)


AUTO_OFFER = replace(offer(), default=OWN)


@pytest.mark.parametrize("strategy", [pb.Strategy(), pb.Strategy(search="auto")])
@pytest.mark.parametrize("snakes", [1, 2, 8])
def test_auto_is_the_strategy_for_the_position(strategy: pb.Strategy, snakes: int) -> None:
    """The task, and so the result, has the strategy that runs and a digest of the rules of the choice."""
    position = position_with(snakes, width=19)
    task = task_of(pb.SearchRequest(position=message_of(position), strategy=strategy), AUTO_OFFER)
    assert task.strategy == OWN.for_position(position)
    result = result_message(RESULT, task)
    assert result.strategy == pb.Strategy(
        search=task.strategy.search, evaluator=task.strategy.evaluator, weights=task.strategy.weights
    )
    assert result.choice_digest == OWN.choice_digest
    assert result.code_digest == AUTO_OFFER.evaluators[task.strategy.evaluator].code_digest


@pytest.mark.parametrize(
    ("strategy", "name"),
    [
        (pb.Strategy(search="brs"), "brs/balanced"),
        (pb.Strategy(evaluator="area"), "paranoid/area"),
        (pb.Strategy(weights={"hunger": 0.25}), "paranoid/balanced"),
    ],
)
def test_an_incomplete_strategy_is_completed(strategy: pb.Strategy, name: str) -> None:
    """Its missing names are the fallback's in every position, and nothing is chosen."""
    for snakes in (1, 2, 3):
        message = message_of(position_with(snakes))
        task = task_of(pb.SearchRequest(position=message, strategy=strategy), AUTO_OFFER)
        assert str(task.strategy) == name
        assert strategy.weights.items() <= task.strategy.weights.items()
        assert result_message(RESULT, task).choice_digest == ""


def test_the_strategies_of_auto_are_listed() -> None:
    """The list has each of them with its weights; the default strategy is the one that completes others."""
    message = strategies_message(AUTO_OFFER)
    assert [f"{each.search}/{each.evaluator}" for each in message.auto_strategies] == [
        str(strategy) for strategy in OWN.strategies
    ]
    assert all(each.weights for each in message.auto_strategies if each.evaluator == "balanced")
    assert message.default_strategy.evaluator == "balanced"
