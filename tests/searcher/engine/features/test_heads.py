"""Distances of heads, and the health of opponents, against the same in plain Python."""

from random import Random
from typing import Any

from hypothesis import given, settings

from searcher.engine.features.distance import edge_distance, lowest_health, nearest_heads
from searcher.engine.features.flood import NOWHERE
from searcher.engine.position import MAX_SNAKES, Point, Position
from searcher.engine.rules.packing import pack
from tests.searcher.engine.positions import random_position, randoms
from tests.searcher.engine.turns import call


def _strong(game: Any, board: Any, snake: int) -> int:
    return nearest_heads(game, board, snake)[0]


def _weak(game: Any, board: Any, snake: int) -> int:
    return nearest_heads(game, board, snake)[1]


def _edge(game: Any, board: Any, snake: int) -> int:
    return edge_distance(game, board.head[snake])


def _lowest_health(game: Any, board: Any, snake: int) -> int:
    return lowest_health(board, snake)


def _steps(position: Position, here: Point, there: Point) -> int:
    sides = (position.width, position.height)
    ways = [abs(one - other) for one, other in zip(here, there, strict=True)]
    if position.ruleset.wrapped:
        ways = [min(way, side - way) for way, side in zip(ways, sides, strict=True)]
    return sum(ways)


@settings(deadline=None, max_examples=60)
@given(random=randoms())
def test_opponents_by_length(random: Random) -> None:
    """Opponents that are not shorter are apart from those that are; the least of each kind counts."""
    position = random_position(
        random, (1, MAX_SNAKES), (3, 19), parts=(1, 8), rulesets=("standard", "wrapped")
    )
    packed = pack(position)
    for you, me in enumerate(position.snakes):
        others = [each for each in position.snakes if each is not me]
        strong = [each for each in others if len(each.body) >= len(me.body)]
        weak = [each for each in others if len(each.body) < len(me.body)]
        for function, kind in ((_strong, strong), (_weak, weak)):
            steps = [_steps(position, me.body[0], each.body[0]) for each in kind]
            assert call(function, packed, you) == min(steps, default=NOWHERE)
        assert call(_lowest_health, packed, you) == min((each.health for each in others), default=0)
        x, y = me.body[0]
        edge = min(x, y, position.width - 1 - x, position.height - 1 - y)
        assert call(_edge, packed, you) == (NOWHERE if position.ruleset.wrapped else edge)
