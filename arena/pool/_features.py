"""Features of a cell that a snake may enter. Several opponents use them."""

from searcher.engine.features.flood import opponents_heads, race
from searcher.engine.rules.board import ring_cell
from searcher.toolkit import NOWHERE, Board, Cells, Game, cells, free_cells, neighbours, njit


@njit
def steps_to(game: Game, board: Board, cell: int, goals: Cells) -> int:
    """Return the steps from a cell to the nearest cell of a set over free cells, or NOWHERE without a way.

    The cells of the set may be occupied, by heads or tails.
    """
    edge, steps = cells.one(board, "bodies", cell), 0
    nothing = edge ^ edge
    left = (free_cells(game, board) | goals) & ~edge
    while edge & goals == nothing:
        edge = neighbours(game, edge) & left
        if edge == nothing:
            return NOWHERE
        left ^= edge
        steps += 1
    return steps


@njit
def tail(game: Game, board: Board, snake: int) -> Cells:
    """Return the cell of the snake's tail, as a set."""
    return cells.one(board, "bodies", ring_cell(game, snake, board.tail_at[snake]))


@njit
def shorter_heads(board: Board, snake: int) -> Cells:
    """Return the heads of the opponents that are shorter than the snake."""
    _, weak = opponents_heads(board, snake)
    return weak


@njit
def all_heads(board: Board, snake: int) -> Cells:
    """Return the heads of all opponents."""
    strong, weak = opponents_heads(board, snake)
    return strong | weak


@njit
def reached_first(game: Game, board: Board, snake: int, cell: int) -> Cells:
    """Return the cells that a snake reaches first if it enters a cell, this cell included, as a set."""
    strong, weak = opponents_heads(board, snake)
    mine = cells.one(board, "bodies", cell)
    mine, _, _ = race(game, strong, mine, weak, free_cells(game, board) & ~mine, None)
    return mine
