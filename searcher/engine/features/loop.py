"""Loops: closed ways on which a snake follows its body until it starves."""

from searcher.engine.features.flood import neighbours
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import ring_cell
from searcher.engine.rules.records import Board, Game


@njit
def closes_loop(game: Game, board: Board, snake: int, free: Cells, spare: int) -> bool:
    """Return whether a snake can walk over `free` cells to a cell that its body has left by then.

    From there on it can follow its body in a loop without end. The cells of `free` must have neither food nor
    bodies, and no other snake may enter the loop. The loop has at least `spare` cells more than the body.
    Only shortest ways are tried, because they never cross themselves. A longer way may close a loop even if
    no shortest way does.
    """
    edge = cells.one(board, "bodies", board.head[snake])
    nothing = left = edge ^ edge
    free &= ~edge
    place = int(board.tail_at[snake]) - int(board.grow[snake]) - spare
    while edge != nothing:
        if board.tail_at[snake] <= place <= board.head_at[snake]:
            left |= cells.one(board, "bodies", ring_cell(game, snake, place))
        place += 1
        edge = neighbours(game, edge)
        if edge & left != nothing:
            return True
        edge &= free
        free ^= edge
    return False
