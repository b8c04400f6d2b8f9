"""The check of a /move body outside of the service."""

from dataclasses import replace
from pathlib import Path

import pytest

from searcher.engine.result import Limits
from searcher.errors import InvalidRequestError
from searcher.positions.move_body import MoveBody, position_in
from searcher.strategies import AUTO, parse_strategy
from searcher.tools.move_body_check import checked_task
from tests.searcher.requests import read_body

BODIES = sorted((Path(__file__).parents[2] / "fixtures" / "requests").glob("*-move-*.json"))


@pytest.fixture
def body() -> MoveBody:
    """A recorded body."""
    return read_body(BODIES[0])


@pytest.mark.parametrize("file", BODIES, ids=lambda file: file.stem)
def test_the_position_is_that_of_the_body(file: Path) -> None:
    """Nothing of a body that a search depends on is lost on the way; hazards off the board don't count."""
    body = read_body(file)
    expected = position_in(body)
    hazards = tuple((x, y) for x, y in expected.hazards if x < expected.width and y < expected.height)
    assert checked_task(body).position == replace(expected, hazards=hazards)


def test_the_strategy_and_its_limits_are_passed_on(body: MoveBody) -> None:
    """Without any, the default strategy searches without limits, on one thread."""
    task = checked_task(body)
    assert task.strategy == AUTO.for_position(task.position)
    assert task.limits == Limits()
    strategy = parse_strategy("paranoid/area")
    task = checked_task(body, strategy, Limits(depth=3, nodes=1000, threads=2))
    assert task.strategy == strategy
    assert task.limits == Limits(depth=3, nodes=1000, threads=2)


@pytest.mark.parametrize(
    ("limits", "named"),
    [(Limits(depth=1 << 70), r"limits\.depth"), (Limits(threads=1 << 70), r"limits\.threads")],
)
def test_a_limit_that_no_message_holds_is_refused(body: MoveBody, limits: Limits, named: str) -> None:
    """The error names the limit and the valid values, as for any that is too large."""
    with pytest.raises(InvalidRequestError, match=named):
        checked_task(body, limits=limits)


def test_a_number_of_nodes_that_no_search_reaches_is_no_error(body: MoveBody) -> None:
    """It is cut to one that messages can hold."""
    nodes = checked_task(body, limits=Limits(nodes=1 << 70)).limits.nodes
    assert nodes is not None and nodes > 1 << 50
