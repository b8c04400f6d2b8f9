"""Features of cells and bodies besides floods: lengths, tails, hazards, and the cells that a walk can enter.

On a board without seams, cells are black and white as on a checkerboard, and each step changes the colour. So
a walk enters at most one cell more of one colour than of the other.
"""

from searcher.engine.features.flood import neighbours
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import is_alive, ring_cell
from searcher.engine.rules.records import Board, Game


@njit
def longest_other(board: Board, snake: int) -> int:
    """Return the length of the longest living opponent, 0 without opponents."""
    longest = 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
    return longest


@njit
def reaches_tail(game: Game, board: Board, snake: int, reached: Cells) -> bool:
    """Return whether a snake gets next to its tail within the cells that it can walk to, or is there already.

    Such a snake can follow its tail out of any place if it does not grow.
    """
    tail = ring_cell(game, snake, board.tail_at[snake])
    walked = reached | cells.one(board, "bodies", board.head[snake])
    return cells.contains(neighbours(game, walked), tail)


@njit
def harm(game: Game, board: Board, cell: int) -> int:
    """Return the health that all hazards of a cell take from a head this turn. A negative value heals."""
    return game.damage[game.era[board.turns], cell]


@njit
def safe_cells(game: Game, reached: Cells) -> Cells:
    """Return the cells of a set without harmful hazards."""
    return reached & ~cells.load(game, "hazards") if game.hazard_damage > 0 else reached


@njit
def walkable(game: Game, board: Board, snake: int, reached: Cells) -> int:
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
