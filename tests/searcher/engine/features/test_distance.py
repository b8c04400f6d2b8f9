"""Snakes too far away to matter, and what a search may leave out because of that."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.features import distance
from searcher.engine.features.distance import edge_distance, lowest_health, nearest_heads
from searcher.engine.features.flood import NOWHERE
from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.result import OutcomeKind
from searcher.engine.rules.packing import pack
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.textbook.battlesnake import Direction
from tests.searcher.engine.positions import board_of, random_position, randoms, snake
from tests.searcher.engine.searches import search
from tests.searcher.engine.turns import call

FOURS = {entry.name: position_in(entry) for entry in bench_positions() if entry.name.startswith("four-")}


@settings(max_examples=60)
@given(randoms())
def test_the_distance_is_that_of_the_shortest_path(random: Random) -> None:
    """The distance is that of the shortest path on an empty board in both directions, also across seams."""
    position = random_position(random, (1, 1), sizes=(3, 9))
    game = pack(position).game[0]
    steps = shortest_paths(position, (0, 0))
    stride = int(game["stride"])
    for (x, y), expected in steps.items():
        there = y * stride + x
        assert distance.distance(game, 0, there) == distance.distance(game, there, 0) == expected


def shortest_paths(position: Position, start: tuple[int, int]) -> dict[tuple[int, int], int]:
    """Return the steps from a cell to every other cell, breadth first."""
    board, steps, front = board_of(position), {start: 0}, [start]
    while front:
        cell = front.pop(0)
        for direction in Direction:
            there = board.neighbour(cell, direction)
            if board.holds(there) and there not in steps:
                steps[there] = steps[cell] + 1
                front.append(there)
    return steps


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


@settings(max_examples=60)
@given(randoms())
@example(Random(1255))
def test_a_proof_in_a_duel_is_true(random: Random) -> None:
    """In a duel a win that the reduced search proves is real, though perhaps later, and no loss is a win."""
    position = random_position(random, (2, 2), sizes=(4, 7), parts=(3, 10))
    moves = search(position, "length", kind="paranoid", depth=6).root_moves
    reduced = moves[0]
    if reduced.outcome is None:
        return
    # A reduced search may prove an end that is beyond its depth.
    depth = max(reduced.depth, reduced.outcome.turns)
    # Without a choice of moves, a search ends as soon as one move alone is not lost.
    asked = tuple(each.move for each in moves)
    full = search(position, "length", kind="paranoid-full", depth=depth, root_moves=asked).root_moves[0]
    assert full.outcome is not None
    assert (full.outcome.kind is OutcomeKind.WIN) == (reduced.outcome.kind is OutcomeKind.WIN)
    if full.outcome.kind is OutcomeKind.WIN:
        assert full.outcome.turns <= reduced.outcome.turns


@pytest.mark.parametrize("name", FOURS)
def test_the_reduced_search_is_deeper(name: str) -> None:
    """In games of four with the same nodes the reduced search completes at least two turns more."""
    reduced, full = (
        search(FOURS[name], "length", kind=kind, nodes=50_000) for kind in ("paranoid", "paranoid-full")
    )
    assert reduced.depth >= full.depth + 2


def test_a_far_snake_does_not_die_of_its_only_move() -> None:
    """A far snake may follow its tail or enter a dead end: no search relies on the dead end."""
    curled = snake("b", "77 78 88 98 97 96 86 76 66 67")
    for body in ("22 21 20", "22 12 02"):
        position = Position(11, 11, (snake("a", body), curled))
        result = search(position, "length", kind="paranoid", depth=6)
        assert result.depth == 6
        assert all(found.outcome is None for found in result.root_moves)


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


@settings(max_examples=60)
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
