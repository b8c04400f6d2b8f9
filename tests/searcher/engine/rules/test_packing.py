"""Positions survive packing into records."""

from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Position, Ruleset
from searcher.engine.rules.packing import is_over, living, pack
from searcher.engine.rules.records import (
    SHAPES,
    Shape,
    cell_of,
    points_in,
    points_of_cells,
    shapes_for,
    words_of,
)
from tests.searcher.engine.positions import (
    random_moves,
    random_position,
    randoms,
    snake,
    unpacked,
)
from tests.searcher.engine.turns import play

pytestmark = pytest.mark.usefixtures("all_shapes")


@given(randoms())
def test_packing_loses_nothing(random: Random) -> None:
    """Bodies, health, food and the number of snakes are unchanged, in every shape that holds the position."""
    position = random_position(random)
    for shape in shapes_for(position):
        packed = pack(position, shape)
        back = unpacked(packed, position)
        assert back.snakes == position.snakes
        assert set(back.food) == set(position.food)
        assert living(packed) == list(range(len(position.snakes)))


@settings(max_examples=60)
@given(randoms())
def test_every_shape_plays_the_same(random: Random) -> None:
    """A position played on for a few turns has the same bodies, health and food in every shape."""
    position = random_position(random, snakes=(1, 4), sizes=(3, 11))
    moves = [random_moves(random, position) for _ in range(4)]
    outcomes = []
    for shape in shapes_for(position):
        packed = pack(position, shape)
        for joint in moves:
            packed = play(packed, joint)
        outcomes.append(unpacked(packed, position))
    assert len(outcomes) >= 5
    assert all(outcome == outcomes[0] for outcome in outcomes)


@pytest.mark.parametrize(
    ("width", "height", "snakes", "expected"),
    [
        (11, 11, 2, Shape(11, 11, 2)),
        (1, 1, 1, Shape(11, 11, 2)),
        (11, 11, 3, Shape(11, 11, 4)),
        (11, 11, 5, Shape(11, 11, 8)),
        (12, 11, 2, Shape(19, 21, 4)),
        (11, 12, 4, Shape(19, 21, 4)),
        (19, 21, 8, Shape(19, 21, 8)),
        (20, 5, 2, Shape(25, 25, 8)),
        (5, 22, 3, Shape(25, 25, 8)),
        (25, 25, 8, Shape(25, 25, 8)),
    ],
)
def test_the_smallest_shape_comes_first(width: int, height: int, snakes: int, expected: Shape) -> None:
    """A position gets the smallest shape that holds it, also at the limits of a shape."""
    crowd = tuple(snake(f"s{index}", "00") for index in range(snakes))
    position = Position(width, height, crowd)
    assert shapes_for(position)[0] == expected == pack(position).shape


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_cells_have_numbers_of_their_own(shape: Shape) -> None:
    """Every cell of a shape has its own number, below that of the cell off the board."""
    cells = [(x, y) for y in range(shape.rows) for x in range(shape.stride)]
    numbers = [cell_of(shape, cell) for cell in cells]
    assert numbers == list(range(len(cells)))
    assert numbers[-1] < shape.cells - 1
    assert points_of_cells(shape)[: len(cells)] == tuple(cells)
    assert points_in(shape, words_of(shape, cells[::3])) == tuple(cells[::3])


def test_hazards_off_the_board_are_left_out() -> None:
    """Hazards off the board, which some maps have, don't mark the cell that stands for all off the board."""
    hazards = ((-1, 3), (7, 0), (3, 7), (0, -1), (2, 2), (2, 2))
    packed = pack(Position(7, 7, (snake("a", "33"),), hazards=hazards, ruleset=Ruleset("standard", 7)))
    assert points_in(packed.shape, packed.game[0]["hazards"]) == ((2, 2),)
    damage = packed.game[0]["damage"]
    assert damage.sum() == damage[0, cell_of(packed.shape, (2, 2))] == 14


@pytest.mark.parametrize(
    ("health", "solo", "over"),
    [((1, 1), False, False), ((1, 0), False, True), ((0, 0), False, True), ((1, 0), True, False)],
)
def test_when_a_game_is_over(health: tuple[int, int], solo: bool, over: bool) -> None:
    """A game is over when one snake is left, unless it plays solo, and always when no snake is left."""
    packed = pack(Position(7, 7, (snake("a", "33"), snake("b", "11"))))
    packed.board["health"][0] = health
    assert is_over(packed, solo) is over
