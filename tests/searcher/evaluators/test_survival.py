"""The terms of the evaluator `survival`."""

from dataclasses import replace

import pytest

from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from tests.searcher.engine.positions import points, snake
from tests.searcher.evaluators.test_contract import EVALUATORS, value

SURVIVAL = EVALUATORS["survival"]
NAMES = [weight.name for weight in SURVIVAL.weights]

ALONE = Position(7, 7, (snake("a", "11 12 13"),))


def value_of(position: Position, **weights: float) -> float:
    """Return the value with these weights and all others 0."""
    return value(SURVIVAL, pack(position), [weights.get(name, 0.0) for name in NAMES], 0)


def test_room() -> None:
    """A snake alone has the whole board except its body, and enough room; a large one has less."""
    large = replace(ALONE, snakes=(snake("a", "00 10 20 21 22 12 11 01 02 03 13 23 24 14 04 05"),))
    assert value_of(ALONE, area=1) == pytest.approx(48 / 49)
    assert value_of(ALONE, room=1) == 1.0
    assert value_of(large, area=1) < value_of(ALONE, area=1)


def test_a_tail_is_a_way_out() -> None:
    """A snake that can reach a cell next to its tail is safe; one that opponents enclose is not."""
    shut_in = Position(7, 2, (snake("a", "10 20 30 40"), snake("b", "01 11 21 31")))
    free = Position(7, 2, (snake("a", "10 20 21 11"), snake("b", "51 61 60 50")))
    assert value_of(shut_in, tail=1) == 0.0
    assert value_of(free, tail=1) == 1.0


def test_corridors_are_narrow() -> None:
    """In a corridor every cell ahead except its end closes the way back; in the open none does."""
    corridor = Position(7, 1, (snake("a", "00 00"),))
    assert value_of(corridor, narrow=1) == pytest.approx(-5 / 7)
    assert value_of(Position(7, 7, (snake("a", "00 00"),)), narrow=1) == 0.0


def test_food_matters_to_a_hungry_snake() -> None:
    """Missing health costs more the more is missing, and near food offsets a part of it."""
    full, peckish, hungry = (
        replace(ALONE, snakes=(snake("a", "11 12 13", health),)) for health in (100, 60, 20)
    )
    values = [value_of(position, hunger=1) for position in (full, peckish, hungry)]
    assert values == pytest.approx([0.0, -0.16, -0.64])
    near, far = (replace(hungry, food=points(cell)) for cell in ("21", "66"))
    assert value_of(near, food=1) > value_of(far, food=1) > value_of(hungry, food=1) == 0.0
