"""Best-reply search: of all others only one replies to my move, the one whose reply is worst for me.

A turn has as many replies as the others have moves together, where paranoid minimax has the product: with
several others the search looks deeper, and believes that they act one at a time. What the rest do is:

- in BRS (Schadd and Winands, "Best Reply Search for Multiplayer Games", 2011) nothing. Battlesnake has no
  passing, so they stand still: they don't move, lose health or eat, and their heads are in the way as bodies
  are. Such positions may be out of reach: neither a win nor a loss that is proven of them need be real.
- in BRS+ (Esser, Gras, Winands, Schadd and Lanctot, "Improving Best-Reply Search", 2013) a move by default.
  Every turn is one that can be played. A loss is one against others who play so; a win is sure only
  against those who leave their defaults one at a time.

Against one other both are paranoid minimax. All else is as in `paranoid`, what follows a turn included.
"""

from typing import Any

from numba import njit

from searcher.engine.algorithms.paranoid import after_turn
from searcher.engine.jit import cells
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.joint import STILL, move_of
from searcher.engine.rules.legal import free_cells, leaving_tail, legal_moves
from searcher.engine.rules.records import RING
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import update_history
from searcher.engine.search.score import INFINITE


def min_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """BRS: the score of my move as `paranoid.min_node` promises it, the least of the replies of one other."""
    base, replies = among_still(state, game, ply, move)
    return least_reply(state, game, weights, ply, depth, base, replies, alpha, beta)


def min_node_plus(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """BRS+: the score of my move as `paranoid.min_node` promises it, the least of the replies of one other."""
    base, replies = among_defaults(state, game, ply, move)
    return least_reply(state, game, weights, ply, depth, base, replies, alpha, beta)


@njit
def among_still(state: Any, game: Any, ply: int, move: int) -> tuple[int, int]:
    """My move while all others stand still, as a joint move, and the set of replies to it.

    A reply is a number, four times its snake and the direction; a set of them has one bit for each. With
    no others it is my own move. The tail of one that stands still stays, so its cell is not free.
    """
    board = state.boards[ply]
    free = cells.load(game, "on_board") & ~cells.load(board, "bodies") | leaving_tail(game, board, state.you)
    base, replies = move << (2 * state.you), 0
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = legal_moves(game, board, snake, free | leaving_tail(game, board, snake))
            base |= 1 << (STILL + snake)
            replies |= moves << (4 * snake)
    if replies == 0:
        replies = 1 << (4 * state.you + move)
    return base, replies


@njit
def among_defaults(state: Any, game: Any, ply: int, move: int) -> tuple[int, int]:
    """My move with the others' moves by default, as a joint move, and the set of replies as in `among_still`.

    That nobody leaves its default is one reply for all of them: my own move.
    """
    board = state.boards[ply]
    free = free_cells(game, board)
    base, replies = move << (2 * state.you), 1 << (4 * state.you + move)
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = int(state.legal[ply, snake])
            default = default_move(game, board, snake, moves, free)
            base |= default << (2 * snake)
            replies |= (moves ^ (1 << default)) << (4 * snake)
    return base, replies


@njit
def default_move(game: Any, board: Any, snake: int, moves: int, free: Any) -> int:
    """Of a snake's legal moves the one onto the cell with most free neighbours; of equals, straight on.

    Nothing but the position decides: with what the search has learnt so far, as the paper has it, the score
    of a position would depend on when it is looked at, and the table would mix such scores.
    """
    head, best, best_rank = board.head[snake], 0, -1
    has_neck = board.head_at[snake] > board.tail_at[snake]
    neck = game.ring[snake, (board.head_at[snake] - 1) & (RING - 1)]
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
def least_reply(
    state: Any,
    game: Any,
    weights: Any,
    ply: int,
    depth: int,
    base: int,
    replies: int,
    alpha: int,
    beta: int,
) -> int:
    """The least score of a set of replies, each played in `base` instead of what its snake does there."""
    best, upper, move = INFINITE, beta, move_of(base, state.you)
    while replies != 0:
        chosen = pick_reply(state, ply, replies, state.killer[ply, move])
        replies ^= 1 << chosen
        joint = with_reply(base, chosen)
        lower = alpha if best == INFINITE else max(alpha, upper - 1)
        score = after_turn(state, game, weights, ply, depth, joint, lower, upper)
        if alpha < score <= lower:
            score = after_turn(state, game, weights, ply, depth, joint, alpha, score + 1)
        if state.stopped:
            return best
        if score < best:
            best = score
            upper = min(upper, best)
        if best <= alpha:
            state.killer[ply, move] = chosen
            if chosen >> 2 != state.you:
                update_history(state, ply, chosen >> 2, chosen & 3, depth)
            break
    return best


@njit
def pick_reply(state: Any, ply: int, replies: int, first: int) -> int:
    """Of a set of replies that is not empty: `first` if it is there, else the one of best history."""
    if (replies >> first) & 1:
        return first
    board = state.boards[ply]
    best, best_history = -1, -1
    for snake in range(len(board.head)):
        for move in range(4):
            history = state.history[snake, board.head[snake], move] if snake != state.you else 0
            if (replies >> (4 * snake + move)) & 1 and history > best_history:
                best, best_history = 4 * snake + move, history
    return best


@njit
def with_reply(base: int, chosen: int) -> int:
    """The joint move in which the snake of a reply makes its move, whatever it does in `base`."""
    snake, move = chosen >> 2, chosen & 3
    others = ~(3 << (2 * snake) | 1 << (STILL + snake))
    return base & others | move << (2 * snake)


BRS = SearchKernel(min_node)
BRS_PLUS = SearchKernel(min_node_plus)
