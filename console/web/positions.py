"""Questions about a position and their answers: the JSON of the API, from and to the searcher's messages."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal

import msgspec
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from battlesnake_search import translate
from battlesnake_search.common.types import Json
from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.living import see
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import BadBody, Reading, decode, read
from battlesnake_search.searchable import Searchable, position_of
from console.store.values import Candidate, Ending, shown_score

MOST_MS = 60_000
"""The longest analysis, in milliseconds."""

MOST_THREADS = 64
"""The largest number of threads that the contract allows."""

Move = Literal["up", "down", "left", "right"]


class Question(msgspec.Struct, frozen=True):
    """A position and a strategy. `searcher` is an address, or empty for the first searcher.

    `position` is the JSON of a /move request's body. `strategy` is `auto`, empty for the searcher's default,
    or written as search/evaluator; `weights` replace the evaluator's weights by name.
    """

    position: msgspec.Raw
    searcher: str = ""
    strategy: str = ""
    weights: Mapping[str, float] = {}


class SearchQuestion(Question, frozen=True):
    """A question to a search. `time_ms` is its time in milliseconds."""

    time_ms: Annotated[int, msgspec.Meta(ge=10, le=MOST_MS)] = 1000
    threads: Annotated[int, msgspec.Meta(ge=1, le=MOST_THREADS)] = 1


class TurnQuestion(msgspec.Struct, frozen=True):
    """A question about the position after a turn. `moves` has the move of each snake by id."""

    position: msgspec.Raw
    moves: Mapping[str, Move]
    searcher: str = ""


def position_asked(question: Question | TurnQuestion) -> Searchable:
    """Return the position of a question, changed so that a search accepts it.

    Raises BadBody, as `read` does, and also if `you` is not on the board.
    """
    try:
        turn = decode(bytes(question.position))
    except BadBody as error:
        raise BadBody(error.reason, f"position.{error.field}".rstrip(".")) from None
    if turn.own is None:
        raise BadBody("is not among the snakes of the board", "position.you")
    return position_of(turn)


def pasted(text: bytes) -> Json:
    """Return a pasted body for a search, the kinds of mends that it needed, and whether `you` was kept.

    If `you` is not on the board, the first living snake becomes `you`. Raises BadBody, as `read` does.
    """
    reading, is_given = _reading(text)
    turn = reading.turn
    if turn.own is None:
        living = see(turn, is_asked=False).alive
        if not living:
            raise BadBody("has no living snake", "board.snakes")
        turn, is_given = msgspec.structs.replace(turn, you=living[0]), False
    position = position_of(turn)
    mended = sorted(reading.mended | position.mended)
    return {"position": msgspec.to_builtins(position.turn), "mended": mended, "is_you_given": is_given}


def _reading(text: bytes) -> tuple[Reading, bool]:
    """Return the reading of a body, and whether it has a `you`."""
    try:
        return read(text), True
    except BadBody as error:
        if error.field != "you":
            raise
        body = msgspec.json.decode(text)
        return read(msgspec.json.encode(body | {"you": {"id": "nobody"}})), False


def plan_of(question: Question) -> Plan:
    """Return the plan of a question's search. Raises BadBody for a malformed strategy."""
    try:
        translate.parse_strategy(question.strategy)
    except ValueError as error:
        raise BadBody(str(error), "strategy") from None
    threads = question.threads if isinstance(question, SearchQuestion) else 0
    return Plan(
        strategy=question.strategy, evaluator_weights=question.weights, limits=Limits(threads=threads)
    )


def decision(result: search_pb2.SearchResult, ids: Sequence[str], budget_ms: float) -> Json:
    """Return a search's result as a decision of the console's games. `ids` has the id of each snake."""
    details, best = translate.details(result), translate.move_result(result)
    moves = [_candidate(root, is_best=number == 0) for number, root in enumerate(details.moves)]
    first = moves[0] if moves and best and moves[0].move == best.move else None
    return {
        "move": best.move if best else None,
        "source": "search",
        "late": False,
        "strategy": _name(result.strategy),
        "depth": result.depth,
        "nodes": result.nodes,
        "evaluations": details.evaluations,
        "score": first.score if first else result.score,
        "outcome": first.outcome if first else None,
        "time_ms": round(result.elapsed.ToMicroseconds() / 1000, 1),
        "budget_ms": budget_ms,
        "left_ms": None,
        "stop": details.stop,
        "moves": moves,
        "pv": [[joint.get(snake) for snake in ids] for joint in details.pv],
    }


def _candidate(root: translate.RootMove, *, is_best: bool) -> Candidate:
    outcome = Ending(root.outcome.kind, root.outcome.turns) if root.outcome else None
    # An older searcher marks no scores. Then only the best one is exact.
    exact = is_best if root.exact is None else root.exact
    return Candidate(root.move, shown_score(root.score, outcome), root.depth, outcome, exact)


def strategies(listed: search_pb2.ListStrategiesResponse) -> Json:
    """Return the searches and evaluators of a searcher."""
    weight = ("name", "default", "minimum", "maximum", "description")
    return {
        "searches": _values(listed.searches, "name", "description"),
        "evaluators": [
            {"name": each.name, "description": each.description, "weights": _values(each.weights, *weight)}
            for each in listed.evaluators
        ],
        "default": _name(listed.default_strategy),
        "auto": [_name(each) for each in listed.auto_strategies],
    }


def _name(strategy: search_pb2.Strategy) -> str:
    return f"{strategy.search}/{strategy.evaluator}"


def evaluation(answer: analysis_pb2.EvaluateResponse) -> Json:
    """Return an evaluator's score of a position for each snake, and the effect of each weight."""
    effects = ("name", "weight", "replacement", "value_without")
    snakes = [
        {
            "id": snake.snake_id,
            "score": snake.score,
            "value": snake.value,
            "weights": _values(snake.weights, *effects),
        }
        for snake in answer.snakes
    ]
    return {"strategy": _name(answer.strategy), "evaluator": answer.strategy.evaluator, "snakes": snakes}


def turn(answer: analysis_pb2.AdvanceResponse) -> Json:
    """Return the board after a turn, as in the body of a /move request, and the deaths of the turn."""
    return {
        "turn": answer.position.turn,
        "board": MessageToDict(answer.position.board, always_print_fields_with_no_presence=True),
        "deaths": [
            {"snake": each.snake_id, "cause": each.cause, "by": each.by_id or None} for each in answer.deaths
        ],
        "over": answer.over,
    }


def _values(messages: Iterable[Message], *fields: str) -> list[Json]:
    """Return the given fields of each message."""
    return [{field: getattr(message, field) for field in fields} for message in messages]
