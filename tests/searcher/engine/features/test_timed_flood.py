"""Floods over time against plain sets of cells, by the definition in the docstring of `reach_in_time`."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.flood import NOWHERE, reach_in_time
from searcher.engine.jit import cells
from searcher.engine.position import MAX_SNAKES, Position
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Packed, shapes_for
from tests.searcher.engine.positions import (
    board_of,
    points,
    random_position,
    randoms,
    reached_in_time,
    recorded_positions,
    snake,
)
from tests.searcher.engine.turns import call

_BASE = 2_000


def _reach(game: Any, board: Any, snake: int) -> int:
    mine, theirs, steps = reach_in_time(game, board, snake)
    return (cells.count(mine) * _BASE + cells.count(theirs)) * _BASE + steps


def reach(packed: Packed, snake: int) -> tuple[int, int, int | None]:
    """Return what `reach_in_time` returns: numbers of cells, and the steps to food or None."""
    counts, steps = divmod(call(_reach, packed, snake), _BASE)
    mine, theirs = divmod(counts, _BASE)
    return mine, theirs, None if steps == NOWHERE else steps


def expected(position: Position, you: int) -> tuple[int, int, int | None]:
    """Return the same by the definition."""
    mine, theirs, steps = reached_in_time(board_of(position), you)
    return len(mine), len(theirs), steps


@pytest.mark.parametrize("ruleset", ["standard", "wrapped", "constrictor"])
@settings(max_examples=50)
@given(random=randoms())
def test_random_boards(ruleset: str, random: Random) -> None:
    """The counts are those of the definition on boards of any size, with 1 to 8 snakes of any length."""
    sizes = random.choice([(1, 5), (3, 11), (11, 25)])
    position = random_position(random, (1, MAX_SNAKES), sizes, parts=(1, 20), rulesets=(ruleset,))
    packed = pack(position)
    for you in range(len(position.snakes)):
        assert reach(packed, you) == expected(position, you)


@settings(max_examples=60)
@given(randoms())
def test_duels_in_every_shape(random: Random) -> None:
    """The code for duels counts the same as the code for more snakes."""
    position = random_position(random, snakes=(2, 2), sizes=(3, 11), parts=(2, 20))
    for you in range(len(position.snakes)):
        found = {reach(pack(position, shape), you) for shape in shapes_for(position)[:3]}
        assert found == {expected(position, you)}


def test_recorded_boards() -> None:
    """The counts are those of the definition on boards of real games."""
    for position in recorded_positions(every=50):
        packed = pack(position)
        for you in range(len(position.snakes)):
            assert reach(packed, you) == expected(position, you)


def test_a_tail_that_leaves_in_time_opens_the_way() -> None:
    """A pocket of two cells is enough to wait for a tail that leaves on the second step."""
    position = Position(5, 5, (snake("a", "00 01 11 21 20 30"),), points("44"))
    assert reach(pack(position), 0) == (25, 0, 8)


def test_a_snake_without_room_does_not_wait() -> None:
    """The same pocket is too small to wait for a tail that leaves on the third step."""
    position = Position(5, 5, (snake("a", "00 01 11 21 20 30 40"),), points("44"))
    assert reach(pack(position), 0) == (2, 0, None)
