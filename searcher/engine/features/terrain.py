"""Features of cells and bodies besides floods: lengths, narrow places, tails, hazards, and cells of real use.

A snake that walks through a narrow passage closes it behind itself. So of the cells behind its passages, it
can use only the cells behind one passage. On a board without seams, cells are black and white as on a
checkerboard, and each step changes the colour. So a walk enters at most one cell more of one colour than of
the other.
"""

from typing import Any

from searcher.engine.features.flood import fill, neighbours
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import Direction
from searcher.engine.rules.board import free_cells, is_alive, ring_cell

UP, DOWN, LEFT, RIGHT = (int(direction) for direction in Direction)


@njit
def longest_other(board: Any, snake: int) -> int:
    """Return the length of the longest living opponent, 0 without opponents."""
    longest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
    return longest


@njit
def sector(game: Any, board: Any, snake: int) -> Any:
    """Return the cells that a living snake can walk to if no other snake moves, without its head's cell."""
    head = cells.one(board, "bodies", board.head[snake])
    return fill(game, head, free_cells(game, board) & ~head)


@njit
def reaches_tail(game: Any, board: Any, snake: int, reached: Any) -> bool:
    """Return whether a snake gets next to its tail within the cells that it can walk to, or is there already.

    Such a snake can follow its tail out of any place if it does not grow.
    """
    tail = ring_cell(game, snake, board.tail_at[snake])
    walked = reached | cells.one(board, "bodies", board.head[snake])
    return cells.contains(neighbours(game, walked), tail)


@njit
def cut_cells(game: Any, reached: Any) -> Any:
    """Return the cells of a set that close a way behind a snake that passes through them.

    The test is local. It looks at the eight cells around a cell. A cell is cut if the set's cells among these
    eight do not connect all its neighbours in the set. The cut cells include every cell whose removal would
    split the set, and some cells with a longer way around. On a wrapped board with a side of 1 or 2 there may
    be further ones.
    """
    above, below = shift(game, reached, DOWN), shift(game, reached, UP)
    left, right = shift(game, reached, RIGHT), shift(game, reached, LEFT)
    # In order round the cell, each mask has the cells with a neighbour in the set that is not connected to
    # the next one. Two such gaps mean that the neighbours are not all connected.
    first = above & ~(right & shift(game, above, LEFT))
    second = right & ~(below & shift(game, below, LEFT))
    third = below & ~(left & shift(game, below, RIGHT))
    fourth = left & ~(above & shift(game, above, RIGHT))
    return reached & (first & second | third & fourth | (first | second) & (third | fourth))


@njit
def shift(game: Any, here: Any, direction: int) -> Any:
    """Return the neighbour of every cell in a direction, across the seams of a wrapped board.

    Mask the result: it may contain cells off the board.
    """
    if direction == UP:
        moved, seam = cells.step(here, UP), cells.down_by(here & cells.load(game, "top"), game.along)
    elif direction == DOWN:
        moved, seam = cells.step(here, DOWN), cells.up_by(here & cells.load(game, "bottom"), game.along)
    elif direction == LEFT:
        moved, seam = cells.step(here, LEFT), cells.up_by(here & cells.load(game, "left"), game.across)
    else:
        moved, seam = cells.step(here, RIGHT), cells.down_by(here & cells.load(game, "right"), game.across)
    return moved | seam


@njit
def harm(game: Any, board: Any, cell: int) -> int:
    """Return the health that all hazards of a cell take from a head this turn. A negative value heals."""
    return game.damage[game.era[board.turns], cell]


@njit
def hazard_share(game: Any, reached: Any) -> float:
    """Return the share of hazards among the cells of a set, from 0 to 1, or 0 for an empty set."""
    return cells.count(reached & cells.load(game, "hazards")) / max(1, cells.count(reached))


@njit
def safe_cells(game: Any, reached: Any) -> Any:
    """Return the cells of a set without harmful hazards."""
    return reached & ~cells.load(game, "hazards") if game.hazard_damage > 0 else reached


@njit
def chamber(game: Any, board: Any, snake: int, reached: Any) -> Any:
    """Return the cells of a set that a snake can use if it never comes back through a passage.

    These are the cells that it reaches without a cut cell, and the largest group behind one of the cut cells
    at their edge. All cells behind that passage count. The head's cell does not count.
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
        # Doors behind this one lead to the same cells.
        doors &= ~beyond
    return front | best


@njit
def walkable(game: Any, board: Any, snake: int, reached: Any) -> int:
    """Return an upper bound of the number of a set's cells that one walk can enter, by the cells' colours.

    The head's cell, where the walk starts, does not count. On a wrapped board, seams may join cells of one
    colour, so the bound is the number of all cells of the set.
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
