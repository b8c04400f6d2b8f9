"""The terms of the evaluator `solo`."""

from dataclasses import replace

import pytest

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.rules.packing import pack
from tests.searcher.engine.positions import points, snake
from tests.searcher.engine.searches import search
from tests.searcher.evaluators.test_contract import EVALUATORS, value

SOLO = EVALUATORS["solo"]
NAMES = [weight.name for weight in SOLO.weights]

ALONE = Position(7, 7, (snake("a", "11 12 22"),), ruleset=Ruleset("solo"))


def value_of(position: Position, **weights: float) -> float:
    """Return the value with these weights and all others 0."""
    return value(SOLO, pack(position), [weights.get(name, 0.0) for name in NAMES], 0)


def test_loops_and_spare_cells() -> None:
    """On a square, a loop has one cell to spare for three parts and none for four; a corridor has no loop."""
    square, exact, corridor = (
        Position(width, height, (snake("a", body),), ruleset=Ruleset("solo"))
        for width, height, body in ((2, 2, "00 01 11"), (2, 2, "00 01 11 10"), (6, 1, "20 10 00"))
    )
    assert [value_of(position, loop=1) for position in (square, exact, corridor)] == [1.0, 1.0, 0.0]
    assert [value_of(position, spare=1) for position in (square, exact, corridor)] == [1.0, 0.0, 0.0]


def test_growth_costs() -> None:
    """Each part costs one cell's share of the board."""
    assert value_of(ALONE, growth=1) == pytest.approx(-3 / 49)


def test_hunger_starts_when_food_is_hardly_in_reach() -> None:
    """Hunger starts when less than the reserve is left at the nearest food, and grows by the turn."""
    near = replace(ALONE, food=points("51"))
    snakes = [snake("a", "11 12 22", health) for health in (100, 8, 7, 6)]
    values = [value_of(replace(near, snakes=(each,)), hunger=1) for each in snakes]
    assert values == pytest.approx([0.0, 0.0, -0.25, -0.5])


@pytest.mark.parametrize(("health", "eats"), [(60, False), (2, True)])
def test_a_healthy_snake_walks_round_food(health: int, eats: bool) -> None:
    """With food all around, a healthy snake stays on its loop, and one that would starve eats."""
    body = snake("a", "11 12 22 21", health)
    every = {(x, y) for x in range(7) for y in range(7)}
    sea = replace(ALONE, snakes=(body,), food=tuple(sorted(every - set(body.body))))
    found = search(sea, "solo", kind="paranoid", depth=6)
    assert (found.move is not Direction.RIGHT) == eats
