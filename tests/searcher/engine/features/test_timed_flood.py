"""Floods over time against plain sets of cells, by the definition in the docstring of `reach_in_time`."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.features.flood import NOWHERE, race_to_food
from searcher.engine.jit import cells
from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Packed, shapes_for
from tests.searcher.engine.positions import (
    board_of,
    points,
    raced_to_food,
    random_position,
    randoms,
    recorded_positions,
    snake,
)
from tests.searcher.engine.turns import call

_BASE = 2_000


def _race(game: Any, board: Any, snake: int) -> int:
    mine, theirs, steps, their_steps = race_to_food(game, board, snake)
    counts = cells.count(mine) * _BASE + cells.count(theirs)
    return (counts * _BASE + steps) * _BASE + their_steps


def race(packed: Packed, snake: int) -> tuple[int, int, int | None, int | None]:
    """Return what `race_to_food` returns: numbers of cells, and each side's steps to food or None."""
    rest, their_steps = divmod(call(_race, packed, snake), _BASE)
    counts, steps = divmod(rest, _BASE)
    mine, theirs = divmod(counts, _BASE)
    return mine, theirs, None if steps == NOWHERE else steps, None if their_steps == NOWHERE else their_steps


def expected(position: Position, you: int) -> tuple[int, int, int | None, int | None]:
    """Return the same by the definition."""
    mine, theirs, steps, their_steps = raced_to_food(board_of(position), you)
    return len(mine), len(theirs), steps, their_steps


@pytest.mark.parametrize("ruleset", ["standard", "wrapped", "constrictor"])
@settings(max_examples=50)
@given(random=randoms())
def test_random_boards(ruleset: str, random: Random) -> None:
    """The counts are those of the definition on boards of any size, with 1 to 8 snakes of any length."""
    sizes = random.choice([(1, 5), (3, 11), (11, 25)])
    position = random_position(random, (1, MAX_SNAKES), sizes, parts=(1, 20), rulesets=(ruleset,))
    packed = pack(position)
    for you in range(len(position.snakes)):
        assert race(packed, you) == expected(position, you)


@settings(max_examples=60)
@given(randoms())
def test_duels_in_every_shape(random: Random) -> None:
    """The code for duels counts the same as the code for more snakes."""
    position = random_position(random, snakes=(2, 2), sizes=(3, 11), parts=(2, 20))
    for you in range(len(position.snakes)):
        found = {race(pack(position, shape), you) for shape in shapes_for(position)[:3]}
        assert found == {expected(position, you)}


def test_recorded_boards() -> None:
    """The counts are those of the definition on boards of real games."""
    for position in recorded_positions(every=50):
        packed = pack(position)
        for you in range(len(position.snakes)):
            assert race(packed, you) == expected(position, you)


def test_a_tail_that_leaves_in_time_opens_the_way() -> None:
    """A pocket of two cells is enough to wait for a tail that leaves on the second step."""
    position = Position(5, 5, (snake("a", "00 01 11 21 20 30"),), points("44"))
    assert race(pack(position), 0) == (25, 0, 8, None)


def test_a_snake_without_room_does_not_wait() -> None:
    """The same pocket is too small to wait for a tail that leaves on the third step."""
    position = Position(5, 5, (snake("a", "00 01 11 21 20 30 40"),), points("44"))
    assert race(pack(position), 0) == (2, 0, None, None)
