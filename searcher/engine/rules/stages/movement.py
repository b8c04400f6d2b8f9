"""Movement: every head enters a cell and every tail leaves one."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import distinct_cells, is_alive, ring_cell
from searcher.engine.rules.joint import move_of
from searcher.engine.rules.records import RING


@njit
def move_snakes(game: Any, board: Any, joint: int) -> None:
    """Move each head to its next cell and each tail forward, unless a part has yet to unfold there.

    The new heads are not added to `bodies` yet, so `bodies` holds exactly what a head may run into.
    """
    bodies = cells.load(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            head = game.neighbours[board.head[snake], move_of(joint, snake)]
            trail = board.trail[snake] * game.power[1] + game.cell_hash[head]
            if board.grow[snake] > 0:
                board.grow[snake] -= 1
            else:
                tail = ring_cell(game, snake, board.tail_at[snake])
                trail -= game.cell_hash[tail] * game.power[distinct_cells(board, snake)]
                bodies ^= cells.one(board, "bodies", tail)
                board.tail_at[snake] += 1
            board.head_at[snake] += 1
            game.ring[snake, board.head_at[snake] & (RING - 1)] = head
            board.head[snake] = head
            board.trail[snake] = trail
    cells.store(board, "bodies", bodies)
