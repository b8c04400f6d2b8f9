"""Floods and loops against plain Python: breadth-first searches, sets of cells over time, walks."""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from battlesnake_search.contract.limits import MAX_SNAKES
from searcher.engine.features.flood import NOWHERE, closes_loop, race_to_food, reach
from searcher.engine.jit import cells
from searcher.engine.position import MAX_HEALTH, Position, Ruleset
from searcher.engine.rules.board import free_cells
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Packed, shapes_for
from searcher.textbook.battlesnake import Board, Direction, play_turn
from tests.searcher.engine.positions import (
    board_of,
    points,
    raced_to_food,
    random_position,
    randoms,
    reached_first,
    snake,
)
from tests.searcher.engine.turns import call

Counts = tuple[int, int, int | None, int | None]
"""My cells, the opponents' cells, and the steps of each side to food, or None without food."""

_BASE = 2_000


def _reach(game: Any, board: Any, snake: int) -> int:
    mine, theirs, steps = reach(game, board, snake)
    return ((cells.count(mine) * _BASE + cells.count(theirs)) * _BASE + steps) * _BASE + NOWHERE


def _race(game: Any, board: Any, snake: int) -> int:
    mine, theirs, steps, their_steps = race_to_food(game, board, snake)
    return ((cells.count(mine) * _BASE + cells.count(theirs)) * _BASE + steps) * _BASE + their_steps


def counts(flood: Callable[[Any, Any, int], int], packed: Packed, snake: int) -> Counts:
    """Return the numbers that a flood has packed into one."""
    rest, their_steps = divmod(call(flood, packed, snake), _BASE)
    rest, steps = divmod(rest, _BASE)
    mine, theirs = divmod(rest, _BASE)
    return mine, theirs, None if steps == NOWHERE else steps, None if their_steps == NOWHERE else their_steps


def reached(position: Position, you: int) -> Counts:
    """Return the counts of `reach` by a breadth-first search."""
    return *reached_first(board_of(position), you), None


def raced(position: Position, you: int) -> Counts:
    """Return the counts of `race_to_food` by its definition."""
    mine, theirs, steps, their_steps = raced_to_food(board_of(position), you)
    return len(mine), len(theirs), steps, their_steps


FLOODS = pytest.mark.parametrize(("flood", "expected"), [(_reach, reached), (_race, raced)])


@FLOODS
@pytest.mark.parametrize("ruleset", ["standard", "wrapped", "constrictor"])
@settings(max_examples=30)
@given(random=randoms())
def test_random_boards(flood: Any, expected: Any, ruleset: str, random: Random) -> None:
    """The counts are those of plain Python on boards of any size, with 1 to 8 snakes of any length."""
    sizes = random.choice([(1, 5), (3, 11), (11, 25)])
    position = random_position(random, (1, MAX_SNAKES), sizes, parts=(1, 20), rulesets=(ruleset,))
    packed = pack(position)
    for you in range(len(position.snakes)):
        assert counts(flood, packed, you) == expected(position, you)


@FLOODS
@settings(max_examples=30)
@given(random=randoms())
def test_duels_in_every_shape(flood: Any, expected: Any, random: Random) -> None:
    """The code for duels counts the same as the code for more snakes."""
    position = random_position(random, snakes=(2, 2), sizes=(3, 11), parts=(2, 20))
    for you in range(len(position.snakes)):
        found = {counts(flood, pack(position, shape), you) for shape in shapes_for(position)[:3]}
        assert found == {expected(position, you)}


@pytest.mark.parametrize(("body", "mine"), [("00 00 00", 3), ("00 00 00 00", 6)])
def test_the_longer_takes_ties(body: str, mine: int) -> None:
    """Of equal snakes, the opponent gets the cells in the middle; with one more part they are mine."""
    position = Position(3, 3, (snake("a", body), snake("b", "22 22 22")))
    assert counts(_reach, pack(position), 0)[:2] == (mine, 9 - mine)


def test_a_tail_that_leaves_in_time_opens_the_way() -> None:
    """A pocket of two cells is enough to wait for a tail until the second step, but not until the third."""
    in_time, too_late = (
        Position(5, 5, (snake("a", body),), points("44"))
        for body in ("00 01 11 21 20 30", "00 01 11 21 20 30 40")
    )
    assert counts(_race, pack(in_time), 0) == (25, 0, 8, None)
    assert counts(_race, pack(too_late), 0) == (2, 0, None, None)


ROUND = 40
"""Turns after which a snake that has not run into itself goes round in a loop."""


def _closes(game: Any, board: Any, spare: int) -> int:
    free = free_cells(game, board) & ~cells.load(board, "food")
    return int(closes_loop(game, board, 0, free, spare))


def spare_cells(position: Position) -> int:
    """Return how many cells the loop that is found has to spare, up to 9; -1 if there is no loop."""
    return max((spare for spare in range(10) if call(_closes, pack(position), spare)), default=-1)


@pytest.mark.parametrize(
    ("body", "food", "spare"),
    [
        ("00 01 11 10", "", 0),
        ("00 01 11", "", 1),
        ("00 01 11 10 10", "", -1),
        ("00 01 11", "10", -1),
    ],
)
def test_loops(body: str, food: str, spare: int) -> None:
    """A square is a loop for three or four parts, but not while the snake grows, nor over food."""
    assert spare_cells(Position(2, 2, (snake("a", body),), points(food), ruleset=Ruleset("solo"))) == spare


@settings(max_examples=150)
@given(randoms())
def test_a_snake_on_a_loop_lives(random: Random) -> None:
    """Where a loop is found, a snake that walks without eating can go on for as long as its health lasts."""
    position = random_position(random, (1, 1), sizes=(3, 5), rulesets=("solo",), parts=(2, 12))
    healthy = tuple(replace(each, health=MAX_HEALTH) for each in position.snakes)
    position = replace(position, snakes=healthy, hazards=())
    if spare_cells(position) >= 0:
        assert walks(board_of(position), ROUND)


def walks(board: Board, turns: int) -> bool:
    """Return whether the snake can make so many turns without dying or eating."""
    if turns == 0:
        return True
    for direction in Direction:
        after = play_turn(board, {0: direction})
        if after.living and len(after.food) == len(board.food) and walks(after, turns - 1):
            return True
    return False
