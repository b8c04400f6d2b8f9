"""Which move to look at first: the one that has caused most cutoffs, near the root above all."""

from typing import Any

from numba import njit

from searcher.engine.features.distance import is_far
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.joint import move_of
from searcher.engine.rules.legal import free_cells, legal_moves

HISTORY_LIMIT = 1 << 20
NO_MOVE = -1


@njit
def generate_moves(game: Any, state: Any, ply: int) -> None:
    """Fills in the legal moves of every living snake at a ply."""
    board = state.boards[ply]
    free = free_cells(game, board)
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            state.legal[ply, snake] = legal_moves(game, board, snake, free)


@njit
def pick_move(state: Any, ply: int, snake: int, moves: int, tt_move: int, late: bool) -> int:
    """Of a set of moves that is not empty: `first` if it is there, else the one of best history.

    A reverse_late_moves thread takes that of worst history if the choice is a late one: two threads that look at the
    same position then look at different moves, until they meet what the other has left in the table.
    """
    if tt_move >= 0 and (moves >> tt_move) & 1:
        return tt_move
    head = state.boards[ply].head[snake]
    sign = -1 if late and state.reverse_late_moves != 0 else 1
    best, best_history = NO_MOVE, -2 * HISTORY_LIMIT
    for move in range(4):
        history = sign * int(state.history[snake, head, move])
        if (moves >> move) & 1 and history > best_history:
            best, best_history = move, history
    return best


@njit
def update_history(state: Any, ply: int, snake: int, move: int, depth: int) -> None:
    """Remembers that a move of a snake cut off a decision, `depth` turns above the leaves."""
    head = state.boards[ply].head[snake]
    state.history[snake, head, move] += depth * depth
    if state.history[snake, head, move] > HISTORY_LIMIT:
        for cell in range(state.history.shape[1]):
            for direction in range(4):
                state.history[snake, cell, direction] >>= 1


@njit
def update_killer(state: Any, ply: int, move: int, joint: int, depth: int) -> None:
    """Remembers that a joint reply refuted my move."""
    board = state.boards[ply]
    state.killer[ply, move] = joint
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            update_history(state, ply, snake, move_of(joint, snake), depth)


@njit
def first_reply(state: Any, game: Any, ply: int, depth: int, move: int, tt_move: int) -> int:
    """The first joint move to look at with my move: `tt_move` if there is one, else the best by history.

    If the search reduces, a snake too far away to matter within `depth` turns has but its first choice.
    """
    board = state.boards[ply]
    state.far[ply] = 0
    for snake in range(len(board.head)):
        state.odometer[ply, snake] = 0
        state.choices[ply, snake] = 0
        if snake != state.you and is_alive(board, snake):
            order_moves(state, ply, snake, move_of(tt_move, snake))
            several = state.choices[ply, snake] > 1
            if state.reduces and several and is_far(game, board, state.you, snake, depth):
                state.choices[ply, snake] = 1
                state.far[ply] |= 1 << snake
    return joint_at(state, ply, move)


@njit
def order_moves(state: Any, ply: int, snake: int, tt_move: int) -> None:
    """Lists a snake's legal moves: `first` if it is one, then as `pick_move` does."""
    moves = int(state.legal[ply, snake])
    count = 0
    while moves != 0:
        move = pick_move(state, ply, snake, moves, tt_move, count > 0)
        moves ^= 1 << move
        state.order[ply, snake, count] = move
        count += 1
    state.choices[ply, snake] = count


@njit
def joint_at(state: Any, ply: int, move: int) -> int:
    """My move and the choices that the odometer shows, as a joint move."""
    joint = move << (2 * state.you)
    for snake in range(len(state.boards[ply].head)):
        if state.choices[ply, snake] != 0:
            joint |= int(state.order[ply, snake, state.odometer[ply, snake]]) << (2 * snake)
    return joint


@njit
def next_reply(state: Any, ply: int, move: int) -> int:
    """The next joint move, the first snake's choice changing fastest; -1 after the last.

    If the search reduces, one snake at a time leaves its first choice.
    """
    snakes = len(state.boards[ply].head)
    changing = 0
    if state.reduces:
        while changing < snakes - 1 and state.odometer[ply, changing] == 0:
            changing += 1
        if state.odometer[ply, changing] == 0:
            changing = 0
    for snake in range(changing, snakes):
        if state.odometer[ply, snake] + 1 < state.choices[ply, snake]:
            state.odometer[ply, snake] += 1
            return joint_at(state, ply, move)
        state.odometer[ply, snake] = 0
    return -1
