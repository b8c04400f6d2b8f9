"""Loops, against walks along them by the textbook's rules."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.loop import closes_loop
from searcher.engine.jit import cells
from searcher.engine.position import MAX_HEALTH, Position, Ruleset
from searcher.engine.rules.board import free_cells
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board, Direction, play_turn
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.engine.turns import call

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
