"""Floods over the board, which evaluators are made of."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.legal import free_cells

NOWHERE = 1000
"""The steps to food if none is reached: more than the width and height of any board together."""


@njit
def neighbours(game: Any, here: Any) -> Any:
    """Return the four neighbours of every cell of a set, across the seams of a wrapped board.

    Mask the result: it may contain cells off the board.
    """
    around = cells.spread(here)
    if game.wrapped:
        around |= cells.up_by(here & cells.load(game, "left"), game.across)
        around |= cells.down_by(here & cells.load(game, "right"), game.across)
        around |= cells.up_by(here & cells.load(game, "bottom"), game.along)
        around |= cells.down_by(here & cells.load(game, "top"), game.along)
    return around


@njit
def fill(game: Any, start: Any, free: Any) -> Any:
    """Return the cells of the set `free` that can be reached over it from the cells of another set."""
    nothing = start ^ start
    reached, edge = nothing, start
    while edge != nothing:
        edge = neighbours(game, edge) & free
        free ^= edge
        reached |= edge
    return reached


@njit
def area(game: Any, board: Any, snake: int) -> tuple[int, int]:
    """Return how many cells a living snake reaches first, and how many its opponents do; heads included.

    All step at once over free cells. A cell that several reach at the same time goes to the longest of them;
    between `snake` and an opponent of its length it goes to the opponent, since `snake` can't win the
    head-to-head there.
    """
    mine, theirs, _ = first_reached(game, board, snake, None)
    return cells.count(mine), cells.count(theirs)


@njit
def reach(game: Any, board: Any, snake: int) -> Any:
    """Return the sets of cells that `area` counts, mine and theirs, and the steps to my nearest food.

    That is the nearest food among my own cells; the steps are NOWHERE if there is none.
    """
    return first_reached(game, board, snake, cells.load(board, "food"))


@njit
def first_reached(game: Any, board: Any, snake: int, food: Any) -> Any:
    """Return what `reach` returns, for this set of food. With None the steps to food are meaningless."""
    mine = cells.one(board, "bodies", board.head[snake])
    if len(board.head) > 2:
        strong, weak = opponents_heads(board, snake)
        free = free_cells(game, board) & ~(mine | strong | weak)
        return race(game, strong, mine, weak, free, None, food)
    other = 1 - snake
    theirs = cells.none(board, "bodies")
    if is_alive(board, other):
        theirs = cells.one(board, "bodies", board.head[other])
    free = free_cells(game, board) & ~(mine | theirs)
    if board.length[snake] > board.length[other]:
        return race(game, None, mine, theirs, free, None, food)
    return race(game, theirs, mine, None, free, None, food)


@njit
def opponents_heads(board: Any, snake: int) -> Any:
    """Return the heads of living opponents as two sets: those not shorter than the snake, and the rest."""
    strong = weak = cells.none(board, "bodies")
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            head = cells.one(board, "bodies", board.head[other])
            if board.length[other] >= board.length[snake]:
                strong |= head
            else:
                weak |= head
    return strong, weak


@njit
def race(game: Any, strong: Any, mine: Any, weak: Any, free: Any, their_free: Any, food: Any) -> Any:
    """Flood the board from three sets at once, one step each in turn, and return who reaches a cell first.

    Return my cells, those of the opponents, and the steps to the nearest cell of `food` among my cells, or
    NOWHERE if there is none. If several reach a cell on the same step, it goes to the strong opponents before
    me, and to me before the weak ones. `free` are the cells that can be entered, without the three sets.

    If `their_free` is given, the opponents enter the cells of `their_free`, and I those of `free`. If one of
    `strong`, `weak`, `their_free` and `food` is None, the compiler leaves out the code for it.
    """
    nothing = mine ^ mine
    strong_edge, my_edge, weak_edge = nothing, mine, nothing
    if strong is not None:
        strong_edge = strong
    if weak is not None:
        weak_edge = weak
    if their_free is not None:
        left = their_free
    theirs, steps = strong_edge | weak_edge, 1
    while strong_edge | my_edge | weak_edge != nothing:
        if strong is not None:
            if their_free is None:
                strong_edge = neighbours(game, strong_edge) & free
                free ^= strong_edge
            else:
                strong_edge = neighbours(game, strong_edge) & left
                left ^= strong_edge
                free &= ~strong_edge
        my_edge = neighbours(game, my_edge) & free
        free ^= my_edge
        if their_free is not None:
            left &= ~my_edge
        if weak is not None:
            if their_free is None:
                weak_edge = neighbours(game, weak_edge) & free
                free ^= weak_edge
            else:
                weak_edge = neighbours(game, weak_edge) & left
                left ^= weak_edge
                free &= ~weak_edge
        mine |= my_edge
        theirs |= strong_edge | weak_edge
        if food is not None:
            steps += int(mine & food == nothing)
    if food is not None and mine & food == nothing:
        steps = NOWHERE
    return mine, theirs, steps
