"""Every shape of board searches under every ruleset: 7x7 to 25x25, one to eight snakes."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.position import Position
from searcher.engine.rules.records import SHAPES, Shape
from tests.searcher.engine.positions import board_of, random_position, textbook_moves
from tests.searcher.engine.searches import search
from tests.support.compiled import FEW_SHAPES

OTHERS = pytest.mark.rest("other board shapes")

CHECKED = [shape if shape in FEW_SHAPES else pytest.param(shape, marks=OTHERS) for shape in SHAPES]

SMALLEST = 7
NODES = 3_000


def crowd(random: Random, shape: Shape, ruleset: str) -> Position:
    """Return a full shape's position on its smallest or largest board, with hazards that may close in."""
    side = random.choice((SMALLEST, min(shape.stride, shape.rows)))
    position = random_position(random, (shape.snakes, shape.snakes), (side, side), (ruleset,), (3, 9))
    edge = tuple((x, y) for x, y in product(range(side), range(side)) if x == 0 or y == side - 1)
    rules = replace(position.ruleset, shrink_every=random.choice((0, 1, 3)))
    return replace(position, hazards=edge, ruleset=rules)


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("shape", CHECKED, ids=str)
def test_every_shape_searches_by_every_ruleset(shape: Shape, ruleset: str) -> None:
    """A search ends within its limit of nodes, and answers with one of the textbook's candidate moves."""
    random = Random(f"{shape} {ruleset}")
    for _ in range(4):
        position = crowd(random, shape, ruleset)
        result = search(position, "area", shape=shape, nodes=NODES)
        assert 0 < result.nodes <= NODES
        assert result.move in textbook_moves(board_of(position), position.you)
        assert -1 <= result.score <= 1
