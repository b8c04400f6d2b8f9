"""What evaluators ask about cells and bodies, besides floods: lengths, narrow places, tails, hazards.

A set of cells is one of the compiled engine's, as `flood` returns them.
"""

from typing import Any

from numba import njit

from searcher.engine.features.flood import fill, neighbours
from searcher.engine.jit import cells
from searcher.engine.position import Direction
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.legal import free_cells
from searcher.engine.rules.records import RING

UP, DOWN, LEFT, RIGHT = (int(direction) for direction in Direction)


@njit
def longest_other(board: Any, snake: int) -> int:
    """The length of the longest living other; 0 if there is none."""
    longest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
    return longest


@njit
def sector(game: Any, board: Any, snake: int) -> Any:
    """The set of cells that a living snake can walk to if nobody else moves, its head's not among them."""
    head = cells.one(board, "bodies", board.head[snake])
    return fill(game, head, free_cells(game, board) & ~head)


@njit
def reaches_tail(game: Any, board: Any, snake: int, reached: Any) -> bool:
    """Whether a snake that can walk to a set of cells gets beside its own tail, or is there.

    Who does can follow its tail, which leads out of any place, as long as it does not grow.
    """
    tail = game.ring[snake, board.tail_at[snake] & (RING - 1)]
    walked = reached | cells.one(board, "bodies", board.head[snake])
    return cells.contains(neighbours(game, walked), tail)


@njit
def cut_cells(game: Any, reached: Any) -> Any:
    """The cells of a set that shut a way behind a snake which passes through them, as far as one sees there.

    They are those whose neighbours in the set are not all joined by the cells of it among the eight around.
    So every cell is there without which a piece of the set would fall apart, and some for which a way
    leads round farther off. On a wrapped board with a side of 1 or 2 there may be more.
    """
    above, below = toward(game, reached, DOWN), toward(game, reached, UP)
    left, right = toward(game, reached, RIGHT), toward(game, reached, LEFT)
    # A neighbour ends a row of joined ones, going round, if the next one is no neighbour or not joined to it.
    first = above & ~(right & toward(game, above, LEFT))
    second = right & ~(below & toward(game, below, LEFT))
    third = below & ~(left & toward(game, below, RIGHT))
    fourth = left & ~(above & toward(game, above, RIGHT))
    return reached & (first & second | third & fourth | (first | second) & (third | fourth))


@njit
def toward(game: Any, here: Any, direction: int) -> Any:
    """The neighbour of every cell in a direction, across the seams of a wrapped board; mask the rest."""
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
    """The health that hazards take from a head on a cell this turn, all layers together; negative heals."""
    return game.damage[game.era[board.turns], cell]


@njit
def hazard_share(game: Any, reached: Any) -> float:
    """The share of the cells of a set that are hazards, from 0 to 1; 0 of an empty set."""
    return cells.count(reached & cells.load(game, "hazards")) / max(1, cells.count(reached))
