"""What people ask about a position, as the API's bodies have it, and the searcher's messages for it."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from battlesnake_search import translate
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import BadBody, decode
from battlesnake_search.searchable import Searchable, position_of

MOST_MS = 60_000
"""The longest analysis, in milliseconds."""

MOST_THREADS = 64
"""The most threads that the contract allows."""

Move = Literal["up", "down", "left", "right"]


class Question(msgspec.Struct, frozen=True):
    """A position and a strategy. `searcher` is an address; empty: the first searcher.

    `position` is the JSON of a /move request's body. `strategy` is `auto`, empty for the searcher's default,
    or written as search/evaluator; `weights` replace those of the evaluator by name.
    """

    position: msgspec.Raw
    searcher: str = ""
    strategy: str = ""
    weights: Mapping[str, float] = {}


class SearchQuestion(Question, frozen=True):
    """A question for a search. `time_ms` is its time in milliseconds."""

    time_ms: Annotated[int, msgspec.Meta(ge=10, le=MOST_MS)] = 1000
    threads: Annotated[int, msgspec.Meta(ge=1, le=MOST_THREADS)] = 1


class TurnQuestion(msgspec.Struct, frozen=True):
    """A question for the position after a turn. `moves` has the move of each snake by id."""

    position: msgspec.Raw
    moves: Mapping[str, Move]
    searcher: str = ""


def position_asked(question: Question | TurnQuestion) -> Searchable:
    """Return the position of a question as a search can take it.

    Raises BadBody, as `read` does, and also if `you` is not on the board.
    """
    try:
        turn = decode(bytes(question.position))
    except BadBody as error:
        raise BadBody(error.reason, f"position.{error.field}".rstrip(".")) from None
    if turn.own is None:
        raise BadBody("is not among the snakes of the board", "position.you")
    return position_of(turn)


def plan_of(question: Question) -> Plan:
    """Return the plan by which a question is searched. Raises BadBody for a malformed strategy."""
    try:
        translate.parse_strategy(question.strategy)
    except ValueError as error:
        raise BadBody(str(error), "strategy") from None
    threads = question.threads if isinstance(question, SearchQuestion) else 0
    return Plan(
        strategy=question.strategy, evaluator_weights=question.weights, limits=Limits(threads=threads)
    )
