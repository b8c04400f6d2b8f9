"""A flood over time: while the snakes walk, the bodies move on, and cells behind their tails open."""

from typing import Any

from searcher.engine.features.flood import NOWHERE, neighbours, opponents_heads
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, ring_cell
from searcher.engine.rules.legal import free_cells

MIN_STEPS = 10
"""The steps after which a flood ends once it has come to a halt; until then a tail may still open a way."""


@njit
def reach_in_time(game: Any, board: Any, snake: int) -> Any:
    """Return what `reach` returns, for bodies that move on: my cells, the opponents' cells, steps to food.

    On each step every body without a part to unfold leaves the cell of its tail, as if no snake ate. A side
    may wait for such a cell next to its own, but only if its own cells are as many as the steps until then:
    it has to walk somewhere in the meantime.
    """
    mine = cells.one(board, "bodies", board.head[snake])
    strong, weak = opponents_heads(board, snake)
    free = free_cells(game, board) & ~(mine | strong | weak)
    # In a duel one of the two sets is empty; the compiler leaves out its code.
    if len(board.head) > 2:
        return race_in_time(game, board, strong, mine, weak, free)
    if weak != mine ^ mine:
        return race_in_time(game, board, None, mine, weak, free)
    return race_in_time(game, board, strong, mine, None, free)


@njit
def race_in_time(game: Any, board: Any, strong: Any, mine: Any, weak: Any, free: Any) -> Any:
    """Return what `reach_in_time` returns, with the sets and the order of `race`."""
    nothing = mine ^ mine
    food, food_steps = cells.load(board, "food"), NOWHERE
    strong_cells = weak_cells = nothing
    if strong is not None:
        strong_cells = strong
    if weak is not None:
        weak_cells = weak
    heads, edges, step = strong_cells | mine | weak_cells, mine, 1
    while edges != nothing or step <= MIN_STEPS:
        edges = nothing
        if step > 1:
            free |= vacated(game, board, step) & ~heads
        if strong is not None:
            edges = enterable(game, strong_cells, free, step)
            free ^= edges
            strong_cells |= edges
        my_edge = enterable(game, mine, free, step)
        free ^= my_edge
        mine |= my_edge
        edges |= my_edge
        if weak is not None:
            weak_edge = enterable(game, weak_cells, free, step)
            free ^= weak_edge
            weak_cells |= weak_edge
            edges |= weak_edge
        if food_steps == NOWHERE and my_edge & food != nothing:
            food_steps = step
        step += 1
    return mine, strong_cells | weak_cells, food_steps


@njit
def enterable(game: Any, held: Any, free: Any, step: int) -> Any:
    """Return the free cells next to those that a side holds: none if they are too few to walk until then."""
    if cells.count(held) < step:
        return held ^ held
    return neighbours(game, held) & free


@njit
def vacated(game: Any, board: Any, step: int) -> Any:
    """Return the cells that the living snakes' bodies leave on a step, if no snake eats."""
    left = cells.none(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            left |= left_at(game, board, snake, step)
    return left


@njit
def left_at(game: Any, board: Any, snake: int, turn: int) -> Any:
    """Return, as a set, the cell that a snake's body leaves on a turn from now if it does not eat before."""
    place = int(board.tail_at[snake]) + turn - 1 - int(board.grow[snake])
    if place < board.tail_at[snake] or place > board.head_at[snake] or (game.constrictor and turn > 1):
        return cells.none(board, "bodies")
    return cells.one(board, "bodies", ring_cell(game, snake, place))
