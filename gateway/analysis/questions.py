"""What people ask about a position, as the API's bodies have it, and the searcher's messages for it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec

from battlesnake_search import translate
from battlesnake_search.living import see
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import BadBody, Reading, decode, read
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


def pasted(text: bytes) -> dict[str, Any]:
    """Return a pasted body as a search can take it, the kinds of its mends, and whether it said who moves.

    A body that does not say so is the first living snake's. Raises BadBody, as `read` does.
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
    """Return the reading of a body, and whether it said who moves."""
    try:
        return read(text), True
    except BadBody as error:
        if error.field != "you":
            raise
        body = msgspec.json.decode(text)
        return read(msgspec.json.encode(body | {"you": {"id": "nobody"}})), False


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
