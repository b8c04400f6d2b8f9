"""The evaluators against their formulas in plain Python."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Position
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Battlesnake
from tests.searcher.engine.positions import board_of, random_position, randoms, snake
from tests.searcher.engine.searches import EVALUATORS as PLAIN
from tests.searcher.evaluators.test_contract import EVALUATORS, value


def value_of(name: str, position: Position, you: int) -> float:
    """Return the clamped value of an evaluator with its default weights."""
    weights = [weight.default for weight in EVALUATORS[name].weights]
    return min(max(value(EVALUATORS[name], pack(position), weights, you), -1.0), 1.0)


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=60)
@given(random=randoms())
def test_values_match_the_formula(name: str, random: Random) -> None:
    """The values are exactly equal on boards of any size with any number of snakes."""
    position = random_position(random, parts=(2, 12))
    for you in range(len(position.snakes)):
        assert value_of(name, position, you) == PLAIN[name](Battlesnake(board_of(position)), you)


DUEL = Position(7, 7, (snake("a", "11 12 13"), snake("b", "55 54 53")))


def test_hunger_costs_more_and_more() -> None:
    """Losing the same health costs more when less is left."""
    healths = (100, 70, 40, 10)
    values = [
        value_of("area", replace(DUEL, snakes=(snake("a", "11 12 13", health), DUEL.snakes[1])), 0)
        for health in healths
    ]
    steps = [before - after for before, after in pairwise(values)]
    assert 0 < steps[0] < steps[1] < steps[2]
