"""Elimination: snakes die of hunger, of walls and of collisions."""

from typing import Any

from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import clear_cell, has, is_alive, is_off_board, ring_cell


@njit
def eliminate_snakes(game: Any, board: Any, joint: int) -> None:
    """Remove the snakes that starved or left the board; then, all at once, those that collide."""
    for snake in range(len(board.head)):
        if is_alive(board, snake) and (board.health[snake] <= 0 or is_off_board(game, board.head[snake])):
            remove(game, board, snake)
    collided = 0
    for snake in range(len(board.head)):
        if is_alive(board, snake) and collides(board, snake):
            collided |= 1 << snake
    for snake in range(len(board.head)):
        if (collided >> snake) & 1:
            remove(game, board, snake)
    bodies = cells.load(board, "bodies")
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            bodies |= cells.one(board, "bodies", board.head[snake])
    cells.store(board, "bodies", bodies)


@njit
def collides(board: Any, snake: int) -> bool:
    """Return whether the snake's head is on a body, or on the head of a snake that is not shorter."""
    if has(board.bodies, board.head[snake]):
        return True
    for other in range(len(board.head)):
        meets = other != snake and is_alive(board, other) and board.head[other] == board.head[snake]
        if meets and board.length[snake] <= board.length[other]:
            return True
    return False


@njit
def remove(game: Any, board: Any, snake: int) -> None:
    """Remove a snake, whose head is not yet in `bodies`, from the board."""
    for place in range(board.tail_at[snake], board.head_at[snake]):
        clear_cell(board.bodies, ring_cell(game, snake, place))
    if board.head_at[snake] == board.tail_at[snake] and board.grow[snake] > 0:
        clear_cell(board.bodies, board.head[snake])
    board.length[snake] = 0
    board.health[snake] = 0
    board.trail[snake] = 0
