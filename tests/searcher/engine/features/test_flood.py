"""Areas against a plain breadth-first search, by the definition in the docstring of `area`."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.features.flood import area
from searcher.engine.position import Position, Ruleset
from searcher.engine.rules.packing import living, pack
from searcher.engine.rules.records import Packed, shapes_for
from tests.searcher.engine.positions import (
    board_of,
    random_moves,
    random_position,
    randoms,
    reached_first,
    recorded_positions,
    snake,
    unpacked,
)
from tests.searcher.engine.turns import call, play

_THOUSAND = 1_000


def _area(game: Any, board: Any, snake: int) -> int:
    mine, theirs = area(game, board, snake)
    return mine * _THOUSAND + theirs


def areas(packed: Packed, snake: int) -> tuple[int, int]:
    """Return what `area` returns."""
    return divmod(call(_area, packed, snake), _THOUSAND)


@pytest.mark.parametrize("shortest", [1, 2])
@settings(max_examples=75)
@given(random=randoms())
def test_area_is_breadth_first(shortest: int, random: Random) -> None:
    """The counts are the same on boards of any size, wrapped or not, with 1 to 8 snakes of any length."""
    sizes = random.choice([(1, 5), (3, 11), (11, 25)])
    position = random_position(random, (1, MAX_SNAKES), sizes, parts=(shortest, 12))
    packed = pack(position)
    for you in range(len(position.snakes)):
        assert areas(packed, you) == reached_first(board_of(position), you)


@settings(max_examples=50)
@given(randoms())
def test_area_of_two_in_every_shape(random: Random) -> None:
    """The code for duels counts the same as the code for more snakes."""
    position = random_position(random, snakes=(2, 2), sizes=(3, 11), parts=(2, 12))
    for you in range(len(position.snakes)):
        counted = {areas(pack(position, shape), you) for shape in shapes_for(position)[:3]}
        assert counted == {reached_first(board_of(position), you)}


@settings(max_examples=60)
@given(randoms())
def test_dead_snakes_hold_no_cells(random: Random) -> None:
    """After some turns the counts are those of a board without the dead snakes."""
    position = random_position(random, snakes=(2, 8), sizes=(3, 11), parts=(3, 12))
    packed = pack(position)
    for _ in range(3):
        packed = play(packed, random_moves(random, position))
    left = unpacked(packed, position)
    for you, index in enumerate(living(packed)):
        assert areas(packed, index) == reached_first(board_of(left), you)


def test_recorded_boards() -> None:
    """The counts are the same on boards of real games."""
    for position in recorded_positions(every=50):
        packed = pack(position)
        for you in range(len(position.snakes)):
            assert areas(packed, you) == reached_first(board_of(position), you)


def test_an_open_duel() -> None:
    """Snakes of equal length win no ties: the cells in the middle count for the opponent."""
    position = Position(3, 3, (snake("a", "00 00 00"), snake("b", "22 22 22")))
    assert areas(pack(position), 0) == (3, 6)
    assert areas(pack(position), 1) == (3, 6)


def test_the_longer_takes_ties() -> None:
    """With one more part the cells in the middle are mine."""
    position = Position(3, 3, (snake("a", "00 00 00 00"), snake("b", "22 22 22")))
    assert areas(pack(position), 0) == (6, 3)


def test_seams_are_open() -> None:
    """On a wrapped ring of seven each snake gets its half, and the cell opposite goes to the opponent."""
    position = Position(7, 1, (snake("a", "00 00"), snake("b", "30 30")), ruleset=Ruleset("wrapped"))
    assert areas(pack(position), 0) == (3, 4)
