"""Floods over the board: what evaluators are made of."""

from typing import Any

from numba import njit

from searcher.engine.jit import cells
from searcher.engine.rules.turn import free_cells, is_alive

NOWHERE = 1000
"""The steps to food where none is reached: above the sides of every board together."""


@njit
def neighbours(game: Any, here: Any) -> Any:
    """The four neighbours of every cell, across the seams of a wrapped board; mask what is off it."""
    around = cells.spread(here)
    if game.wrapped:
        around |= cells.up_by(here & cells.load(game, "left"), game.across)
        around |= cells.down_by(here & cells.load(game, "right"), game.across)
        around |= cells.up_by(here & cells.load(game, "bottom"), game.along)
        around |= cells.down_by(here & cells.load(game, "top"), game.along)
    return around


@njit
def fill(game: Any, start: Any, free: Any) -> Any:
    """The cells of a set `free` that steps over it lead to from the cells of another set."""
    nothing = start ^ start
    reached, edge = nothing, start
    while edge != nothing:
        edge = neighbours(game, edge) & free
        free ^= edge
        reached |= edge
    return reached


@njit
def area(game: Any, board: Any, snake: int) -> tuple[int, int]:
    """How many cells a living snake reaches first, and how many the others together do; heads included.

    All step at once over free cells. A cell that several reach at the same time goes to the longest of
    them, and from `snake` to others of its length: it can't win the head-to-head there.
    """
    mine, theirs, _ = first_reached(game, board, snake, None)
    return cells.count(mine), cells.count(theirs)


@njit
def reach(game: Any, board: Any, snake: int) -> Any:
    """The sets of cells that `area` counts, mine and the others', and how far my food is.

    That is the steps to the nearest food among my own cells; NOWHERE if they have none.
    """
    return first_reached(game, board, snake, cells.load(board, "food"))


@njit
def first_reached(game: Any, board: Any, snake: int, food: Any) -> Any:
    """As `reach`, to the food of this set. With None the compiler leaves out what counts steps to food."""
    if len(board.head) > 2:
        return reach_among_many(game, board, snake, food)
    other = 1 - snake
    mine = cells.one(board, "bodies", board.head[snake])
    theirs = cells.none(board, "bodies")
    if is_alive(board, other):
        theirs = cells.one(board, "bodies", board.head[other])
    if board.length[snake] > board.length[other]:
        mine, theirs, steps, _ = reach_of_two(game, board, mine, theirs, food)
    else:
        theirs, mine, _, steps = reach_of_two(game, board, theirs, mine, food)
    return mine, theirs, steps


@njit
def reach_of_two(game: Any, board: Any, strong: Any, weak: Any, food: Any) -> Any:
    """The cells reached first from each of two sets, at the same time from the strong one; steps to food."""
    nothing = cells.none(board, "bodies")
    free = free_cells(game, board) & ~(strong | weak)
    strong_edge, weak_edge = strong, weak
    strong_steps, weak_steps = 1, 1
    while strong_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        strong |= strong_edge
        weak |= weak_edge
        if food is not None:
            strong_steps += int(strong & food == nothing)
            weak_steps += int(weak & food == nothing)
    if food is not None:
        strong_steps = strong_steps if strong & food != nothing else NOWHERE
        weak_steps = weak_steps if weak & food != nothing else NOWHERE
    return strong, weak, strong_steps, weak_steps


@njit
def reach_among_many(game: Any, board: Any, snake: int, food: Any) -> Any:
    """As `reach`, for any number of others: those that win ties flood together, and those that lose them."""
    nothing = cells.none(board, "bodies")
    free = free_cells(game, board)
    mine = cells.one(board, "bodies", board.head[snake])
    strong_edge, my_edge, weak_edge = nothing, mine, nothing
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            head = cells.one(board, "bodies", board.head[other])
            if board.length[other] >= board.length[snake]:
                strong_edge |= head
            else:
                weak_edge |= head
    theirs = strong_edge | weak_edge
    free &= ~(mine | theirs)
    steps = 1
    while strong_edge | my_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        my_edge = neighbours(game, my_edge) & free
        free ^= my_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        mine |= my_edge
        theirs |= strong_edge | weak_edge
        if food is not None:
            steps += int(mine & food == nothing)
    if food is not None and mine & food == nothing:
        steps = NOWHERE
    return mine, theirs, steps
