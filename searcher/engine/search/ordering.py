"""Which move to look at first: the one that has caused most cutoffs, near the root above all."""

from typing import Any

from numba import njit

from searcher.engine.features.distance import is_far
from searcher.engine.rules.turn import free_cells, is_alive, legal_moves, move_of

HISTORY_LIMIT = 1 << 20
NO_MOVE = -1


@njit
def find_legal_moves(game: Any, tree: Any, ply: int) -> None:
    """Fills in the legal moves of every living snake at a ply."""
    board = tree.boards[ply]
    free = free_cells(game, board)
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            tree.legal[ply, snake] = legal_moves(game, board, snake, free)


@njit
def pick_move(tree: Any, ply: int, snake: int, moves: int, first: int, late: bool) -> int:
    """Of a set of moves that is not empty: `first` if it is there, else the one of best history.

    A contrary thread takes that of worst history if the choice is a late one: two threads that look at the
    same position then look at different moves, until they meet what the other has left in the table.
    """
    if first >= 0 and (moves >> first) & 1:
        return first
    head = tree.boards[ply].head[snake]
    sign = -1 if late and tree.contrary != 0 else 1
    best, best_history = NO_MOVE, -2 * HISTORY_LIMIT
    for move in range(4):
        history = sign * int(tree.history[snake, head, move])
        if (moves >> move) & 1 and history > best_history:
            best, best_history = move, history
    return best


@njit
def reward_move(tree: Any, ply: int, snake: int, move: int, depth: int) -> None:
    """Remembers that a move of a snake cut off a decision, `depth` turns above the leaves."""
    head = tree.boards[ply].head[snake]
    tree.history[snake, head, move] += depth * depth
    if tree.history[snake, head, move] > HISTORY_LIMIT:
        for cell in range(tree.history.shape[1]):
            for direction in range(4):
                tree.history[snake, cell, direction] >>= 1


@njit
def reward_reply(tree: Any, ply: int, move: int, joint: int, depth: int) -> None:
    """Remembers that a joint reply refuted my move."""
    board = tree.boards[ply]
    tree.killer[ply, move] = joint
    for snake in range(len(board.head)):
        if snake != tree.you and is_alive(board, snake):
            reward_move(tree, ply, snake, move_of(joint, snake), depth)


@njit
def first_reply(tree: Any, game: Any, ply: int, depth: int, move: int, hint: int) -> int:
    """The first joint move to look at with my move: `hint` if there is one, else the best by history.

    If the search reduces, a snake too far away to matter within `depth` turns has but its first choice.
    """
    board = tree.boards[ply]
    tree.far[ply] = 0
    for snake in range(len(board.head)):
        tree.odometer[ply, snake] = 0
        tree.choices[ply, snake] = 0
        if snake != tree.you and is_alive(board, snake):
            order_moves(tree, ply, snake, move_of(hint, snake))
            several = tree.choices[ply, snake] > 1
            if tree.reduces and several and is_far(game, board, tree.you, snake, depth):
                tree.choices[ply, snake] = 1
                tree.far[ply] |= 1 << snake
    return joint_at(tree, ply, move)


@njit
def order_moves(tree: Any, ply: int, snake: int, first: int) -> None:
    """Lists a snake's legal moves: `first` if it is one, then as `pick_move` does."""
    moves = int(tree.legal[ply, snake])
    count = 0
    while moves != 0:
        move = pick_move(tree, ply, snake, moves, first, count > 0)
        moves ^= 1 << move
        tree.order[ply, snake, count] = move
        count += 1
    tree.choices[ply, snake] = count


@njit
def joint_at(tree: Any, ply: int, move: int) -> int:
    """My move and the choices that the odometer shows, as a joint move."""
    joint = move << (2 * tree.you)
    for snake in range(len(tree.boards[ply].head)):
        if tree.choices[ply, snake] != 0:
            joint |= int(tree.order[ply, snake, tree.odometer[ply, snake]]) << (2 * snake)
    return joint


@njit
def next_reply(tree: Any, ply: int, move: int) -> int:
    """The next joint move, the first snake's choice changing fastest; -1 after the last.

    If the search reduces, one snake at a time leaves its first choice.
    """
    snakes = len(tree.boards[ply].head)
    changing = 0
    if tree.reduces:
        while changing < snakes - 1 and tree.odometer[ply, changing] == 0:
            changing += 1
        if tree.odometer[ply, changing] == 0:
            changing = 0
    for snake in range(changing, snakes):
        if tree.odometer[ply, snake] + 1 < tree.choices[ply, snake]:
            tree.odometer[ply, snake] += 1
            return joint_at(tree, ply, move)
        tree.odometer[ply, snake] = 0
    return -1
