"""How many cells of a set a snake can really use: some lie behind others, and a walk alternates in colour.

A snake that walks through a narrow passage closes it behind itself. Of the cells on the other sides it can
use only those behind one passage. On a board without seams, cells are black and white as on a checkerboard,
and each step changes the colour: a walk enters at most one cell more of one colour than of the other.
"""

from typing import Any

from searcher.engine.features.flood import fill, neighbours
from searcher.engine.features.terrain import cut_cells
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit


@njit
def chamber(game: Any, board: Any, snake: int, reached: Any) -> Any:
    """Return the cells of a set that a snake can use if it never comes back through a passage.

    These are the cells that it reaches without passing through a cut cell, and the most of those behind one
    of the cut cells at their edge. What lies behind that passage counts as a whole. The head's cell is left
    out.
    """
    nothing = reached ^ reached
    head = cells.one(board, "bodies", board.head[snake])
    inside = reached & ~head
    passages = cut_cells(game, inside | head) & inside
    front = fill(game, head, inside & ~passages)
    doors = neighbours(game, front | head) & passages
    behind = inside & ~front
    best = nothing
    while doors != nothing:
        door = cells.one(board, "bodies", cells.first(doors))
        doors ^= door
        beyond = door | fill(game, door, behind & ~door)
        if cells.count(beyond) > cells.count(best):
            best = beyond
        # Doors that lie behind this one lead to the same cells.
        doors &= ~beyond
    return front | best


@njit
def walkable(game: Any, board: Any, snake: int, reached: Any) -> int:
    """Return an upper bound of the cells of a set that a walk can enter, by their colours.

    The head's cell, where the walk starts, does not count. On a wrapped board, seams may join cells of one
    colour: there the bound is the number of cells.
    """
    head = cells.one(board, "bodies", board.head[snake])
    inside = reached & ~head
    count = cells.count(inside)
    if game.wrapped:
        return count
    black = cells.count(inside & cells.load(game, "black"))
    own = black
    if head & cells.load(game, "black") == head ^ head:
        own = count - black
    # The first cell is of the other colour than the head's.
    return min(2 * own + 1, 2 * (count - own))
