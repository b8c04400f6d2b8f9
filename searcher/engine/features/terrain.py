"""Features of cells and bodies besides floods: lengths, narrow places, tails, hazards.

Sets of cells are those of the compiled engine, as `flood` returns them.
"""

from typing import Any

from searcher.engine.features.flood import fill, neighbours
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.position import Direction
from searcher.engine.rules.board import is_alive, ring_cell
from searcher.engine.rules.legal import free_cells

UP, DOWN, LEFT, RIGHT = (int(direction) for direction in Direction)


@njit
def longest_other(board: Any, snake: int) -> int:
    """Return the length of the longest living opponent; 0 if there is none."""
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
    """Return whether a snake that can walk to a set of cells gets next to its own tail, or is there already.

    Such a snake can follow its tail out of any place, as long as it does not grow.
    """
    tail = ring_cell(game, snake, board.tail_at[snake])
    walked = reached | cells.one(board, "bodies", board.head[snake])
    return cells.contains(neighbours(game, walked), tail)


@njit
def cut_cells(game: Any, reached: Any) -> Any:
    """Return the cells of a set that close a way behind a snake that passes through them.

    The test is local: these are the cells whose neighbours in the set are not all connected by cells of the
    set among the eight around. They include every cell whose removal would split the set, and some cells
    around which a longer way leads. On a wrapped board with a side of 1 or 2 there may be more.
    """
    above, below = shift(game, reached, DOWN), shift(game, reached, UP)
    left, right = shift(game, reached, RIGHT), shift(game, reached, LEFT)
    # Going round the cell, each mask has the cells of which one neighbour is in the set and is not connected
    # to the next one. Two such gaps mean that the neighbours are not all connected.
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
    """Return the health that all hazards of a cell take from a head this turn; a negative value heals."""
    return game.damage[game.era[board.turns], cell]


@njit
def hazard_share(game: Any, reached: Any) -> float:
    """Return the share of the cells of a set that are hazards, from 0 to 1; 0 for an empty set."""
    return cells.count(reached & cells.load(game, "hazards")) / max(1, cells.count(reached))
