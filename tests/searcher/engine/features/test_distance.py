"""Distances on an empty board, against plain Python."""

from itertools import product
from random import Random
from typing import Any

from hypothesis import given, settings

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.features import distance
from searcher.engine.features.distance import edge_distance, lowest_health, nearest_heads
from searcher.engine.features.flood import NOWHERE
from searcher.engine.position import Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import cell_of
from tests.searcher.engine.positions import board_of, random_position, randoms, snake, steps_between
from tests.searcher.engine.turns import call


@settings(max_examples=60)
@given(randoms())
def test_the_distance_is_that_of_the_shortest_path(random: Random) -> None:
    """The distance is the same in both directions, and shorter across seams."""
    position = random_position(random, (1, 1), sizes=(3, 9))
    packed = pack(position)
    game = packed.game[0]
    for x, y in product(range(position.width), range(position.height)):
        there = cell_of(packed.shape, (x, y))
        expected = steps_between(board_of(position), (0, 0), (x, y))
        assert distance.distance(game, 0, there) == distance.distance(game, there, 0) == expected


@settings(max_examples=60)
@given(randoms())
def test_the_nearest_food_is_the_nearest_by_distance(random: Random) -> None:
    """No food on the board is nearer, and a board without food has none."""
    position = random_position(random, (1, 2))
    packed = pack(position)
    game, board = packed.game[0], packed.board[0]
    stride, head = int(game["stride"]), int(board["head"][0])
    steps = {y * stride + x: distance.distance(game, head, y * stride + x) for x, y in position.food}
    nearest = distance.nearest_food(game, board, head)
    if steps:
        assert steps[nearest] == min(steps.values())
    else:
        assert nearest == distance.NO_FOOD


def test_far_is_beyond_what_both_can_walk() -> None:
    """Two snakes approach by two steps a turn; the slack leaves room for the areas that both reach."""
    position = Position(25, 3, (snake("a", "00"), snake("b", "91")), ruleset=Ruleset("standard"))
    packed = pack(position)
    game, board = packed.game[0], packed.board[0]
    far = [bool(distance.is_far(game, board, 0, 1, turns)) for turns in range(1, 6)]
    limit = (10 - distance.SLACK) / 2
    assert far == [turns < limit for turns in range(1, 6)]


def _strong(game: Any, board: Any, snake: int) -> int:
    return nearest_heads(game, board, snake)[0]


def _weak(game: Any, board: Any, snake: int) -> int:
    return nearest_heads(game, board, snake)[1]


def _edge(game: Any, board: Any, snake: int) -> int:
    return edge_distance(game, board.head[snake])


def _lowest_health(game: Any, board: Any, snake: int) -> int:
    return lowest_health(board, snake)


@settings(max_examples=60)
@given(random=randoms())
def test_opponents_by_length(random: Random) -> None:
    """Opponents that are not shorter are apart from those that are; the least of each kind counts."""
    position = random_position(
        random, (1, MAX_SNAKES), (3, 19), parts=(1, 8), rulesets=("standard", "wrapped")
    )
    packed, board = pack(position), board_of(position)
    for you, me in enumerate(position.snakes):
        others = [each for each in position.snakes if each is not me]
        strong = [each for each in others if len(each.body) >= len(me.body)]
        weak = [each for each in others if len(each.body) < len(me.body)]
        for function, kind in ((_strong, strong), (_weak, weak)):
            steps = [steps_between(board, me.body[0], each.body[0]) for each in kind]
            assert call(function, packed, you) == min(steps, default=NOWHERE)
        assert call(_lowest_health, packed, you) == min((each.health for each in others), default=0)
        x, y = me.body[0]
        edge = min(x, y, position.width - 1 - x, position.height - 1 - y)
        assert call(_edge, packed, you) == (NOWHERE if position.ruleset.wrapped else edge)
