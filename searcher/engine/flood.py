"""Floods over the board: what evaluators are made of."""

from typing import Any

from numba import njit

from searcher.engine import cells
from searcher.engine.rules import free_cells, is_alive


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
def area(game: Any, board: Any, snake: int) -> tuple[int, int]:
    """How many cells a living snake reaches first, and how many the others together do; heads included.

    All step at once over free cells. A cell that several reach at the same time goes to the longest of
    them, and from `snake` to others of its length: it can't win the head-to-head there.
    """
    if len(board.head) > 2:
        return area_against_many(game, board, snake)
    other = 1 - snake
    mine = cells.one(board, "bodies", board.head[snake])
    theirs = cells.none(board, "bodies")
    if is_alive(board, other):
        theirs = cells.one(board, "bodies", board.head[other])
    if board.length[snake] > board.length[other]:
        return area_of_two(game, board, mine, theirs)
    reached, left = area_of_two(game, board, theirs, mine)
    return left, reached


@njit
def area_of_two(game: Any, board: Any, strong: Any, weak: Any) -> tuple[int, int]:
    """How many cells are reached first from each of two sets; at the same time, from the strong one."""
    nothing = cells.none(board, "bodies")
    free = free_cells(game, board) & ~(strong | weak)
    strong_edge, weak_edge = strong, weak
    while strong_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        strong |= strong_edge
        weak |= weak_edge
    return cells.count(strong), cells.count(weak)


@njit
def area_against_many(game: Any, board: Any, snake: int) -> tuple[int, int]:
    """As `area`, for any number of others: those that win ties flood together, and those that lose them."""
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
    while strong_edge | my_edge | weak_edge != nothing:
        strong_edge = neighbours(game, strong_edge) & free
        free ^= strong_edge
        my_edge = neighbours(game, my_edge) & free
        free ^= my_edge
        weak_edge = neighbours(game, weak_edge) & free
        free ^= weak_edge
        mine |= my_edge
        theirs |= strong_edge | weak_edge
    return cells.count(mine), cells.count(theirs)
