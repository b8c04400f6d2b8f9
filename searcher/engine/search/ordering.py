"""Move ordering: moves that caused most cutoffs come first, and cutoffs near the root count most.

This module only orders late moves. `algorithms.paranoid` reduces them.
"""

from searcher.engine.features.distance import is_far
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import (
    enterable_cells,
    free_cells,
    is_alive,
    legal_moves,
    move_bits,
    move_of,
    starves,
)
from searcher.engine.rules.records import Board, Game
from searcher.engine.search.state import State

HISTORY_LIMIT = 1 << 20
"""A snake's history is halved when a value in it exceeds this number."""

NO_MOVE = -1
"""This number stands in place of a missing move or joint move."""


@njit
def generate_moves(game: Game, state: State, ply: int) -> None:
    """Fill in the legal moves of every living snake at a ply."""
    board = state.boards[ply]
    free = free_cells(game, board)
    enterable = enterable_cells(game, board, free)
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            state.legal[ply, snake] = moves_of(game, board, snake, free, enterable)


@njit
def moves_of(game: Game, board: Board, snake: int, free: Cells, enterable: Cells) -> int:
    """Return the snake's legal moves as bits by direction, for these `free_cells` and `enterable_cells`."""
    # No move saves a snake that starves itself, unless a server's rules differ.
    return legal_moves(game, board, snake, free if starves(game, board, snake) else enterable)


@njit
def pick_move(state: State, ply: int, snake: int, moves: int, tt_move: int, late: bool) -> int:
    """Return `tt_move` if it is in the set of moves, otherwise the move with the best history.

    The set must not be empty. If `late`, a thread that reverses late moves takes the move with the worst
    history. So two threads in the same position search different moves, until one finds the other's results
    in the table.
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
def update_history(state: State, ply: int, snake: int, move: int, depth: int) -> None:
    """Increase the history of a snake's move that caused a cutoff `depth` turns above the leaves."""
    head = state.boards[ply].head[snake]
    state.history[snake, head, move] += depth * depth
    if state.history[snake, head, move] > HISTORY_LIMIT:
        for cell in range(state.history.shape[1]):
            for direction in range(4):
                state.history[snake, cell, direction] >>= 1


@njit
def update_killer(state: State, ply: int, move: int, joint: int, depth: int) -> None:
    """Store the joint reply that refuted my move as the killer, and increase the history of its moves."""
    board = state.boards[ply]
    state.killer[ply, move] = joint
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            update_history(state, ply, snake, move_of(joint, snake), depth)


@njit
def first_reply(state: State, game: Game, ply: int, depth: int, move: int, tt_move: int) -> int:
    """Return the first joint move to search with my move.

    Each opponent makes its move in the joint move `tt_move` if that move is legal, otherwise its move with
    the best history. If the search reduces, an opponent too far away to affect me within `depth` turns is
    limited to its first move.
    """
    board = state.boards[ply]
    state.far[ply] = 0
    for snake in range(len(board.head)):
        state.odometer[ply, snake] = 0
        state.choices[ply, snake] = 0
        if snake != state.you and is_alive(board, snake):
            order_moves(state, ply, snake, move_of(tt_move, snake))
            # A snake with one move counts too: that may be UP in place of a missing legal move, and deadly.
            if state.reduces and is_far(game, board, state.you, snake, depth):
                state.choices[ply, snake] = 1
                state.far[ply] |= 1 << snake
    return current_reply(state, ply, move)


@njit
def release_far_snakes(state: State, ply: int) -> bool:
    """Let the far snakes of a ply make their other moves too. Return whether they have any.

    Call this after all replies have been searched.
    """
    released = False
    for snake in range(len(state.boards[ply].head)):
        if (state.far[ply] >> snake) & 1:
            state.choices[ply, snake] = 0
            for move in range(4):
                state.choices[ply, snake] += (state.legal[ply, snake] >> move) & 1
            released |= state.choices[ply, snake] > 1
    state.far[ply] = 0
    return released


@njit
def order_moves(state: State, ply: int, snake: int, tt_move: int) -> None:
    """List a snake's legal moves in the order in which `pick_move` returns them."""
    moves = int(state.legal[ply, snake])
    count = 0
    while moves != 0:
        move = pick_move(state, ply, snake, moves, tt_move, count > 0)
        moves ^= 1 << move
        state.order[ply, snake, count] = move
        count += 1
    state.choices[ply, snake] = count


@njit
def current_reply(state: State, ply: int, move: int) -> int:
    """Return my move and the present reply of each opponent, by the odometer, as a joint move."""
    joint = move_bits(state.you, move)
    for snake in range(len(state.boards[ply].head)):
        if state.choices[ply, snake] != 0:
            joint |= move_bits(snake, int(state.order[ply, snake, state.odometer[ply, snake]]))
    return joint


@njit
def next_reply(state: State, ply: int, move: int) -> int:
    """Return the next joint move to search with my move, or NO_MOVE after the last one.

    The move of the first opponent changes fastest. If the search reduces, only one opponent at a time leaves
    its first move.
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
            return current_reply(state, ply, move)
        state.odometer[ply, snake] = 0
    return NO_MOVE
