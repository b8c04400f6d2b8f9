"""Best-reply search: only the opponent with the worst reply for me replies to my move.

The number of replies in a turn is the sum of the opponents' numbers of moves. In paranoid minimax it is their
product. With several opponents the search is deeper, but it assumes that they act one at a time. The other
opponents stand still (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011). Battlesnake has
no passing, so they don't move, lose health or eat, and their heads block cells as bodies do. Such positions
may be unreachable, so a proven win or loss need not be real.

With one opponent, this is paranoid minimax. Everything else is as in `paranoid`, including the search below a
turn.
"""

from searcher.engine.algorithms.paranoid import search_joint
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import (
    STILL,
    body_cells,
    is_alive,
    left_at,
    legal_moves,
    move_bits,
    starves,
    with_move,
)
from searcher.engine.rules.records import Game, Weights
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import update_history
from searcher.engine.search.score import INFINITE
from searcher.engine.search.state import State


def min_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return the score of my move, with the contract of `paranoid.min_node`: one opponent replies."""
    base, replies = still_replies(state, game, ply, move)
    best, upper = INFINITE, beta
    while replies != 0:
        reply = pick_reply(state, ply, replies, state.killer[ply, move])
        replies ^= 1 << reply
        joint = joint_with_reply(base, reply)
        lower = alpha if best == INFINITE else max(alpha, upper - 1)
        score = search_joint(state, game, weights, ply, depth, joint, lower, upper)
        if alpha < score <= lower:
            score = search_joint(state, game, weights, ply, depth, joint, alpha, score + 1)
        if state.stopped:
            return best
        if score < best:
            best = score
            upper = min(upper, best)
        if best <= alpha:
            reward(state, ply, move, reply, depth)
            break
    return best


@njit
def still_replies(state: State, game: Game, ply: int, move: int) -> tuple[int, int]:
    """Return the joint move of my move alone, and the set of replies to my move.

    All opponents stand still in the joint move. A reply is a number: four times its snake plus the direction.
    A set of replies has one bit for each reply. Without opponents the only reply is my own move. The tail of
    a snake that stands still stays, so its cell is not free.
    """
    board = state.boards[ply]
    free = cells.load(game, "on_board") & ~cells.load(board, "bodies") | left_at(game, board, state.you, 1)
    if starves(game, board, state.you):
        free |= body_cells(game, board, state.you)
    base, replies = move_bits(state.you, move), 0
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = legal_moves(game, board, snake, free | left_at(game, board, snake, 1))
            base |= 1 << (STILL + snake)
            replies |= moves << (4 * snake)
    if replies == 0:
        replies = 1 << (4 * state.you + move)
    return base, replies


@njit
def pick_reply(state: State, ply: int, replies: int, killer: int) -> int:
    """Return the killer if it is in a non-empty set of replies, or else the reply with the best history."""
    if (replies >> killer) & 1:
        return killer
    board = state.boards[ply]
    best, best_history = -1, -1
    for snake in range(len(board.head)):
        for move in range(4):
            history = state.history[snake, board.head[snake], move] if snake != state.you else 0
            if (replies >> (4 * snake + move)) & 1 and history > best_history:
                best, best_history = 4 * snake + move, history
    return best


@njit
def reward(state: State, ply: int, move: int, reply: int, depth: int) -> None:
    """Store the reply that refuted my move as the killer, and credit the history of its opponent's move."""
    state.killer[ply, move] = reply
    if reply >> 2 != state.you:
        update_history(state, ply, reply >> 2, reply & 3, depth)


@njit
def joint_with_reply(base: int, reply: int) -> int:
    """Return the joint move `base` in which the snake of a reply makes this reply."""
    snake, move = reply >> 2, reply & 3
    return with_move(base & ~(1 << (STILL + snake)), snake, move)


BRS = SearchKernel(min_node)
