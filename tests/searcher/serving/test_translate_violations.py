"""Every kind of violation in a request, and its description."""

import math
import time
import tracemalloc
from collections.abc import Callable

import pytest
from google.protobuf.duration_pb2 import Duration

from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.search.state import MAX_DEPTH
from searcher.errors import InvalidRequestError
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER
from tests.searcher.requests import points, search_request, snake

Change = Callable[[pb.SearchRequest], object]

BOARD = "position.board"


def body(request: pb.SearchRequest, index: int, *cells: tuple[int, int]) -> None:
    """Give a snake another body."""
    del request.position.board.snakes[index].body[:]
    request.position.board.snakes[index].body.extend(points(cells))


def settings(request: pb.SearchRequest) -> pb.RulesetSettings:
    """Return the settings of the request's ruleset."""
    return request.position.ruleset.settings


VIOLATIONS: dict[str, tuple[Change, str, str]] = {
    "height below": (
        lambda r: setattr(r.position.board, "height", -3),
        f"{BOARD}.height",
        "must be 1 to 25, not -3",
    ),
    "turn": (lambda r: setattr(r.position, "turn", -1), "position.turn", "must be 0 or more, not -1"),
    "you": (lambda r: setattr(r.position, "you_id", "who"), "position.you_id", "valid: 'me', 'you'"),
    "ruleset": (
        lambda r: setattr(r.position.ruleset, "name", "squad"),
        "position.ruleset.name",
        "valid: 'standard', 'solo', 'royale', 'constrictor', 'wrapped', 'wrapped_constrictor'",
    ),
    "no snakes": (
        lambda r: r.position.board.ClearField("snakes"),
        f"{BOARD}.snakes",
        "must be 1 to 8 snakes, not 0",
    ),
    "same id": (
        lambda r: setattr(r.position.board.snakes[1], "id", "me"),
        f"{BOARD}.snakes[1].id",
        "is also the id of snakes[0]",
    ),
    "health 0": (
        lambda r: setattr(r.position.board.snakes[0], "health", 0),
        f"{BOARD}.snakes[0].health",
        "must be 1 to 100, not 0",
    ),
    "long body": (
        lambda r: body(r, 0, *[(0, 0)] * 124),
        f"{BOARD}.snakes[0].body",
        "must be 1 to 123 parts on a 11x11 board, not 124",
    ),
    "torn": (
        lambda r: body(r, 1, (8, 8), (8, 7), (8, 5)),
        f"{BOARD}.snakes[1].body[2]",
        "(8, 5) is not next to the part before it, (8, 7)",
    ),
    "crossing": (
        lambda r: body(r, 1, (3, 3), (2, 3), (1, 3)),
        f"{BOARD}.snakes[1].body[1]",
        "(2, 3) is also the cell of snakes[0].body[1]",
    ),
    "food off": (
        lambda r: r.position.board.food.add(x=11, y=0),
        f"{BOARD}.food[2]",
        "(11, 0) is off the 11x11 board",
    ),
    "food twice": (lambda r: r.position.board.food.add(x=0, y=0), f"{BOARD}.food[2]", "is also food[0]"),
    "search": (
        lambda r: setattr(r.strategy, "search", "psychic"),
        "strategy.search",
        "is 'psychic'; valid: 'steady', 'broken', 'auto'",
    ),
    "evaluator of auto": (
        lambda r: r.strategy.MergeFrom(pb.Strategy(search="auto", evaluator="plain")),
        "strategy.evaluator",
        "must be empty: auto chooses the evaluator",
    ),
    "evaluator": (
        lambda r: setattr(r.strategy, "evaluator", "gut"),
        "strategy.evaluator",
        "is 'gut'; valid: 'plain', 'weighed'",
    ),
    "weight": (
        lambda r: r.strategy.weights.update({"speed": 1.0}),
        "strategy.weights['speed']",
        "is not a weight of weighed; valid: 'space', 'food'",
    ),
    "weight over": (
        lambda r: r.strategy.weights.update({"food": 1.5}),
        "strategy.weights['food']",
        "must be -1.0 to 1.0, not 1.5",
    ),
    "weight NaN": (
        lambda r: r.strategy.weights.update({"food": math.nan}),
        "strategy.weights['food']",
        "must be -1.0 to 1.0, not nan",
    ),
    "time 0": (lambda r: r.limits.time.SetInParent(), "limits.time", "must be more than 0 s"),
    "nanos": (lambda r: setattr(r.limits.time, "nanos", 10**9), "limits.time", "it is 0 s and 1000000000 ns"),
    "depth": (lambda r: setattr(r.limits, "depth", 2**31), "limits.depth", f"must be 0 to {MAX_DEPTH}"),
    "no move": (
        lambda r: r.limits.root_moves.append(pb.DIRECTION_UNSPECIFIED),
        "limits.root_moves[0]",
        "is 0; valid: 'DIRECTION_UP', 'DIRECTION_DOWN', 'DIRECTION_LEFT', 'DIRECTION_RIGHT'",
    ),
    "move twice": (
        lambda r: r.limits.root_moves.extend([pb.DIRECTION_UP] * 2),
        "limits.root_moves[1]",
        "is given twice",
    ),
}


def violations_of(request: pb.SearchRequest) -> dict[str, str]:
    """Return the violations of a request, by field."""
    try:
        task_of(request, OFFER)
    except InvalidRequestError as error:
        return {violation.field: violation.description for violation in error.violations}
    return {}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_each_violation_names_its_field_and_the_valid_values(name: str) -> None:
    """A request with one violation gets the field's path and a description."""
    change, field, description = VIOLATIONS[name]
    request = search_request()
    change(request)
    assert description in violations_of(request)[field]


ENDS: dict[str, Change] = {
    "largest board": lambda r: r.position.board.MergeFrom(pb.Board(width=25, height=25)),
    "health 100": lambda r: setattr(r.position.board.snakes[0], "health", 100),
    "least weights": lambda r: r.strategy.weights.update({"space": 0.0, "food": -1.0}),
    "most weights": lambda r: r.strategy.weights.update({"space": 10.0, "food": 1.0}),
    "a nanosecond": lambda r: r.limits.time.MergeFrom(Duration(nanos=1)),
    "depth": lambda r: setattr(r.limits, "depth", MAX_DEPTH),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_ends_of_a_range_are_valid(name: str) -> None:
    """The least and the most values of the descriptions are accepted."""
    request = search_request()
    ENDS[name](request)
    assert violations_of(request) == {}


def test_a_body_is_bounded_by_the_smallest_board() -> None:
    """There is no fourth part on a single cell."""
    request = search_request()
    board = pb.Board(width=1, height=1, snakes=[snake("me", *[(0, 0)] * 4)])
    request.position.board.CopyFrom(board)
    field = f"{BOARD}.snakes[0].body"
    assert violations_of(request) == {field: "must be 1 to 3 parts on a 1x1 board, not 4"}


@pytest.mark.parametrize("side", ["width", "height"])
def test_a_side_without_length_is_the_only_violation(side: str) -> None:
    """Snakes and food are not blamed for it."""
    request = search_request()
    setattr(request.position.board, side, 0)
    assert set(violations_of(request)) == {f"{BOARD}.{side}"}


@pytest.mark.parametrize(
    ("sent", "quoted"),
    [
        (40 * "x", repr(40 * "x")),
        (41 * "x", repr(37 * "x" + "...")),
        ("\N{SNAKE}", r"'\U0001f40d'"),
    ],
)
def test_a_callers_word_is_quoted_in_forty_characters(sent: str, quoted: str) -> None:
    """A longer one is cut, and shown in ASCII: a header holds the description."""
    request = search_request()
    request.position.you_id = sent
    assert violations_of(request)["position.you_id"] == f"is {quoted}; valid: 'me', 'you'"


def test_all_violations_are_reported_at_once() -> None:
    """A request with several violations gets all of them."""
    request = search_request()
    for name in ("turn", "you", "ruleset", "health 0", "food off", "search", "weight", "time 0", "depth"):
        VIOLATIONS[name][0](request)
    assert set(violations_of(request)) == {
        "position.turn",
        "position.you_id",
        "position.ruleset.name",
        f"{BOARD}.snakes[0].health",
        f"{BOARD}.food[2]",
        "strategy.search",
        "strategy.weights['speed']",
        "limits.time",
        "limits.depth",
    }


def test_weights_are_not_copied_beyond_the_violations() -> None:
    """A message has room for fifty thousand weights. Copies of them would take megabytes."""
    request = search_request()
    request.strategy.weights.update({f"w{number}": 1.0 for number in range(50_000)})
    tracemalloc.start()
    try:
        with pytest.raises(InvalidRequestError, match="is not a weight of weighed"):
            task_of(request, OFFER)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 500_000


@pytest.mark.parametrize("field", ["food", "hazards", "body"])
def test_long_lists_are_refused_by_their_length(field: str) -> None:
    """A list longer than any board has is not read to its end, however large the board claims to be."""
    request = search_request()
    board = request.position.board
    board.width = board.height = 2**31 - 1
    board.snakes[0].body.add(x=2, y=5)
    long = board.snakes[0].body if field == "body" else getattr(board, field)
    long.extend([pb.Point(x=index % 1000, y=index // 1000) for index in range(100_000)])
    begin = time.monotonic()
    with pytest.raises(InvalidRequestError):
        task_of(request, OFFER)
    assert time.monotonic() - begin < 1.0


def test_hazards_are_bounded_by_the_layers_of_all_cells() -> None:
    """A hundred layers on each cell are valid, and one more is not."""
    request = search_request()
    del request.position.board.hazards[:]
    request.position.board.hazards.extend([pb.Point()] * (121 * 100))
    assert len(task_of(request, OFFER).position.hazards) == 12_100
    request.position.board.hazards.add()
    with pytest.raises(InvalidRequestError, match="at most 12100 points on a 11x11 board, not 12101"):
        task_of(request, OFFER)
