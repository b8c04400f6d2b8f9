"""Best-reply search: only the opponent with the worst reply for me replies to my move.

The number of replies in a turn is the sum of the opponents' numbers of moves. In paranoid minimax it is their
product. With several opponents the search is deeper, but it assumes that they act one at a time. The other
opponents:

- stand still in BRS (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011). Battlesnake has no
  passing, so they don't move, lose health or eat, and their heads block cells as bodies do. Such positions
  may be unreachable, so a proven win or loss need not be real.
- make a default move in BRS+ (Esser, Gras, Winands, Schadd and Lanctot, "Improving Best-Reply Search", 2013).
  Every turn can be played. A proven loss assumes opponents that play like this. A proven win holds only if at
  most one opponent leaves its default move on each turn.

With one opponent, both variants are paranoid minimax. Everything else is as in `paranoid`, including the
search below a turn.
"""

from searcher.engine.algorithms.paranoid import search_joint
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import (
    STILL,
    body_cells,
    free_cells,
    is_alive,
    leaving_tail,
    legal_moves,
    move_bits,
    move_of,
    ring_cell,
    starves,
    with_move,
)
from searcher.engine.rules.records import Board, Game, Weights
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import update_history
from searcher.engine.search.score import INFINITE
from searcher.engine.search.state import State


def min_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return BRS's score of my move, with the contract of `paranoid.min_node`: one opponent replies."""
    base, replies = still_replies(state, game, ply, move)
    return min_over_replies(state, game, weights, ply, depth, base, replies, alpha, beta)


def min_node_plus(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return BRS+'s score of my move, with the contract of `paranoid.min_node`: one opponent replies."""
    base, replies = default_replies(state, game, ply, move)
    return min_over_replies(state, game, weights, ply, depth, base, replies, alpha, beta)


@njit
def still_replies(state: State, game: Game, ply: int, move: int) -> tuple[int, int]:
    """Return the joint move of my move alone, and the set of replies to my move.

    All opponents stand still in the joint move. A reply is a number: four times its snake plus the direction.
    A set of replies has one bit for each reply. Without opponents the only reply is my own move. The tail of
    a snake that stands still stays, so its cell is not free.
    """
    board = state.boards[ply]
    free = cells.load(game, "on_board") & ~cells.load(board, "bodies") | leaving_tail(game, board, state.you)
    if starves(game, board, state.you):
        free |= body_cells(game, board, state.you)
    base, replies = move_bits(state.you, move), 0
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = legal_moves(game, board, snake, free | leaving_tail(game, board, snake))
            base |= 1 << (STILL + snake)
            replies |= moves << (4 * snake)
    if replies == 0:
        replies = 1 << (4 * state.you + move)
    return base, replies


@njit
def default_replies(state: State, game: Game, ply: int, move: int) -> tuple[int, int]:
    """Return the joint move of my move and the opponents' default moves, and the set of replies to my move.

    Replies are numbered as in `still_replies`. My own move stands for the reply in which every opponent makes
    its default move.
    """
    board = state.boards[ply]
    free = free_cells(game, board)
    base, replies = move_bits(state.you, move), 1 << (4 * state.you + move)
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = int(state.legal[ply, snake])
            default = default_move(game, board, snake, moves, free)
            base |= move_bits(snake, default)
            replies |= (moves ^ (1 << default)) << (4 * snake)
    return base, replies


@njit
def default_move(game: Game, board: Board, snake: int, moves: int, free: Cells) -> int:
    """Return the snake's legal move onto the cell with most free neighbours. Ties go to the move straight on.

    The choice depends on the position alone. The paper orders moves by the history of the search. With that,
    the score of a position would change during the search, and the transposition table would mix old and new
    scores.
    """
    head, best, best_rank = board.head[snake], 0, -1
    has_neck = board.head_at[snake] > board.tail_at[snake]
    neck = ring_cell(game, snake, board.head_at[snake] - 1)
    for move in range(4):
        if (moves >> move) & 1:
            target = game.neighbours[head, move]
            rank = int(has_neck and game.neighbours[neck, move] == head)
            for direction in range(4):
                rank += 2 * int(cells.contains(free, game.neighbours[target, direction]))
            if rank > best_rank:
                best, best_rank = move, rank
    return best


@njit
def min_over_replies(
    state: State,
    game: Game,
    weights: Weights,
    ply: int,
    depth: int,
    base: int,
    replies: int,
    alpha: int,
    beta: int,
) -> int:
    """Return the least score of a set of replies, each played in place of its snake's move in `base`."""
    best, upper, move = INFINITE, beta, move_of(base, state.you)
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
            state.killer[ply, move] = reply
            if reply >> 2 != state.you:
                update_history(state, ply, reply >> 2, reply & 3, depth)
            break
    return best


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
def joint_with_reply(base: int, reply: int) -> int:
    """Return the joint move `base` in which the snake of a reply makes this reply."""
    snake, move = reply >> 2, reply & 3
    return with_move(base & ~(1 << (STILL + snake)), snake, move)


BRS = SearchKernel(min_node)
BRS_PLUS = SearchKernel(min_node_plus)
