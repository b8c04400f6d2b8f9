"""The check of a /move body and its search. It is the same as the service's check of a request."""

from google.protobuf import json_format

from battlesnake_search.board import Snake, Turn
from battlesnake_search.common.types import Json
from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.translate import fill_position
from searcher import strategies
from searcher.engine.result import Limits, Scores
from searcher.interface import Strategy, StrategyChoice, Task
from searcher.positions.move_body import MoveBody
from searcher.serving.translate import task_of

_UINT32, _UINT64 = (1 << 32) - 1, (1 << 64) - 1


def checked_task(
    body: MoveBody | Turn, choice: StrategyChoice = strategies.AUTO, limits: Limits | None = None
) -> Task:
    """Return the task of searching a body's position.

    Raises InvalidRequestError with every violation, including violations in the weights and the limits.
    """
    request = pb.SearchRequest(strategy=_strategy(choice), limits=_limits(limits or Limits()))
    fill_position(request.position, Turn(body.game, body.board, Snake(body.you.id, []), body.turn))
    return task_of(request, strategies.offer())


def position_document(turn: Turn) -> Json:
    """Return the position of a turn as the contract has it in JSON."""
    position = pb.Position()
    fill_position(position, turn)
    return json_format.MessageToDict(
        position, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
    )


def _strategy(choice: StrategyChoice) -> pb.Strategy:
    if not isinstance(choice, Strategy):
        return pb.Strategy(search=str(choice))
    return pb.Strategy(search=choice.search, evaluator=choice.evaluator, weights=choice.weights)


def _limits(limits: Limits) -> pb.Limits:
    # Numbers too large for a message are beyond every limit anyway.
    return pb.Limits(
        depth=min(limits.depth or 0, _UINT32),
        nodes=min(limits.nodes or 0, _UINT64),
        threads=min(limits.threads, _UINT32),
        exact_root_moves=limits.scores is Scores.ALL,
    )
