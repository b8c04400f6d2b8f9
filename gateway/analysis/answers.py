"""The searcher's answers as the JSON of the API."""

from collections.abc import Iterable, Sequence
from typing import Any

from battlesnake_search import translate
from battlesnake_search.contract import analysis_pb2, search_pb2

Json = dict[str, Any]


def decision(result: search_pb2.SearchResult, ids: Sequence[str], budget_ms: float) -> Json:
    """Return a search's result as a decision of the console's games. `ids` are the snakes in their order."""
    details, best = translate.details(result), translate.move_result(result)
    moves = [_candidate(root, exact=number == 0) for number, root in enumerate(details.moves)]
    return {
        "move": best.move if best else None,
        "source": "search",
        "late": False,
        "strategy": f"{result.strategy.search}/{result.strategy.evaluator}",
        "depth": result.depth,
        "nodes": result.nodes,
        "evaluations": details.evaluations,
        "score": result.score,
        "outcome": moves[0]["outcome"] if moves and best and moves[0]["move"] == best.move else None,
        "time_ms": round(result.elapsed.ToMicroseconds() / 1000, 1),
        "budget_ms": budget_ms,
        "left_ms": None,
        "stop": details.stop,
        "moves": moves,
        "pv": [[joint.get(snake) for snake in ids] for joint in details.pv],
    }


def _candidate(root: translate.RootMove, *, exact: bool) -> Json:
    # The contract says of no move that it was cut off, only that such a move has an upper bound.
    outcome = root.outcome and {"kind": root.outcome.kind, "turns": root.outcome.turns}
    return {"move": root.move, "score": root.score, "depth": root.depth, "outcome": outcome, "exact": exact}


def strategies(listed: search_pb2.ListStrategiesResponse) -> Json:
    """Return what a searcher offers."""
    return {
        "searches": [{"name": each.name, "description": each.description} for each in listed.searches],
        "evaluators": [
            {
                "name": each.name,
                "description": each.description,
                "weights": [_weight(weight) for weight in each.weights],
            }
            for each in listed.evaluators
        ],
        "default": _name(listed.default_strategy),
        "auto": [_name(each) for each in listed.auto_strategies],
    }


def _weight(weight: search_pb2.Weight) -> Json:
    fields = ("name", "default", "minimum", "maximum", "description")
    return {field: getattr(weight, field) for field in fields}


def _name(strategy: search_pb2.Strategy) -> str:
    return f"{strategy.search}/{strategy.evaluator}"


def evaluation(answer: analysis_pb2.EvaluateResponse) -> Json:
    """Return what an evaluator makes of a position for each snake."""
    effects = ("name", "weight", "replacement", "value_without")
    snakes = [
        {
            "id": snake.snake_id,
            "score": snake.score,
            "value": snake.value,
            "weights": [{field: getattr(each, field) for field in effects} for each in snake.weights],
        }
        for snake in answer.snakes
    ]
    return {"strategy": _name(answer.strategy), "evaluator": answer.strategy.evaluator, "snakes": snakes}


def turn(answer: analysis_pb2.AdvanceResponse) -> Json:
    """Return the board after a turn, as the body of a /move request has it, and who died in it."""
    board = answer.position.board
    return {
        "turn": answer.position.turn,
        "board": {
            "width": board.width,
            "height": board.height,
            "food": _points(board.food),
            "hazards": _points(board.hazards),
            "snakes": [_snake(snake) for snake in board.snakes],
        },
        "deaths": [
            {"snake": each.snake_id, "cause": each.cause, "by": each.by_id or None} for each in answer.deaths
        ],
        "over": answer.over,
    }


def _snake(snake: search_pb2.Snake) -> Json:
    return {"id": snake.id, "name": snake.name, "health": snake.health, "body": _points(snake.body)}


def _points(points: Iterable[search_pb2.Point]) -> list[Json]:
    return [{"x": point.x, "y": point.y} for point in points]
