"""Breadth: every direction looked at equally deep, and what is found on the way added up.

After "How the snake slithers" (2020), which looks at shallow positions first, scores each of them, and folds
the scores back to the directions. Nothing is pruned, and a position counts wherever it lies, not only
where the search stops looking: a way that is good all along is better than one that ends well by luck.

The others' moves are not multiplied. In reply k every other snake makes its k-th legal move, in the order of
Direction, starting over where it has no more: so each of its moves is looked at, and a turn has at
most four replies, however many snakes there are. All replies count the same.

The score of a position P, `depth` turns before the search stops looking:

    lost, drawn, won    loss_at, draw_at, win_at of its ply
    own(P)              = e + (HEURISTIC_LIMIT - e) * died // (2 * others), e being what the evaluator says,
                          others those alive at the root, died those of them that no longer are
    score(P, 0)         = own(P)
    score(P, depth)     = b, the best score of my legal moves, if that is a proven end;
                          else (own(P) + depth * b) // (depth + 1)

and the score of my move, of the positions that its replies lead to, each `depth - 1` turns before the end:

    their least score   if all are lost or drawn
    their least score   if all are won and no other replies exist: at most one of the others has a choice
    (sum(s) + 3 * replies * min(s)) // (4 * replies)
                        else, s being each score cut off at 1 - HEURISTIC_LIMIT and HEURISTIC_LIMIT - 1

So a heuristic is a mean over the way, in which a death counts as the worst from there on; and // rounds
down. Of the replies three quarters are the least score, since others seldom err: by the mean alone the
snake walks into traps that shut with one reply of three. The last quarter is what makes a way better
on which others could have died.
"""

from typing import Any

from numba import njit

from searcher.engine.jit.intrinsics import call_evaluator, call_search, copy_record
from searcher.engine.rules.board import is_alive, living_others
from searcher.engine.rules.turn import play
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import NO_MOVE, generate_moves, order_moves
from searcher.engine.search.pv import update_pv, update_reply_pv
from searcher.engine.search.score import HEURISTIC_LIMIT, INFINITE, draw_at, heuristic, loss_at, win_at


def reply_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """The exact score of my move `depth` turns deep, whatever the window: what its replies come to.

    The value means nothing once `state.stopped` is set. The legal moves of this ply must have been found.
    This is the one function of the search with an address: it calls itself by `state.search`.
    """
    replies, complete = list_replies(state, ply)
    least, most, total = INFINITE, -INFINITE, 0
    for number in range(replies):
        joint = joint_reply(state, ply, move, number)
        score = after_turn(state, game, weights, ply, depth, joint)
        if state.stopped:
            return least
        if score < least:
            least = score
            update_reply_pv(state, ply, joint)
        most = max(most, score)
        total += cut_off(score)
    if most <= -HEURISTIC_LIMIT or (complete and least >= HEURISTIC_LIMIT):
        return least
    return (total + 3 * replies * cut_off(least)) // (4 * replies)


@njit
def cut_off(score: int) -> int:
    """A score as a heuristic: the nearest one to a proven end."""
    return min(max(score, 1 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1)


@njit
def list_replies(state: Any, ply: int) -> tuple[int, bool]:
    """Lists the others' legal moves. How many replies to look at, and whether no others exist."""
    board = state.boards[ply]
    replies, undecided = 1, 0
    for snake in range(len(board.head)):
        state.choices[ply, snake] = 0
        if snake != state.you and is_alive(board, snake):
            order_moves(state, ply, snake, NO_MOVE)
            replies = max(replies, int(state.choices[ply, snake]))
            undecided += int(state.choices[ply, snake] > 1)
    return replies, undecided <= 1


@njit
def joint_reply(state: Any, ply: int, move: int, number: int) -> int:
    """My move and the reply of that number, as a joint move."""
    joint = move << (2 * state.you)
    for snake in range(len(state.boards[ply].head)):
        choices = int(state.choices[ply, snake])
        if choices != 0:
            joint |= int(state.order[ply, snake, number % choices]) << (2 * snake)
    return joint


@njit
def after_turn(state: Any, game: Any, weights: Any, ply: int, depth: int, joint: int) -> int:
    """The score of the position that a joint move leads to, `depth` turns above the end. Counts a node."""
    if not count_node(state):
        return 0
    board = state.boards[ply + 1]
    copy_record(board, state.boards[ply])
    play(game, board, joint)
    state.pv_length[ply + 1] = 0
    others = living_others(board, state.you)
    alone = state.contested != 0 and others == 0
    if not is_alive(board, state.you):
        return draw_at(ply + 1) if alone else loss_at(ply + 1)
    if alone:
        return win_at(ply + 1)
    own = own_score(state, game, weights, ply + 1, others)
    if depth == 1:
        return own
    return max_node(state, game, weights, ply + 1, depth - 1, own)


@njit
def own_score(state: Any, game: Any, weights: Any, ply: int, others: int) -> int:
    """What a position is worth by itself: the evaluator's word, nearer to a win for each that has died."""
    state.evaluations += 1
    said = heuristic(call_evaluator(state.evaluator, game, state.boards[ply], weights, state.you))
    before = living_others(state.boards[0], state.you)
    if others == before:
        return said
    return said + (HEURISTIC_LIMIT - said) * (before - others) // (2 * before)


@njit
def max_node(state: Any, game: Any, weights: Any, ply: int, depth: int, own: int) -> int:
    """The score of a position whose own one is known: with the best of my moves, as the module says."""
    generate_moves(game, state, ply)
    moves = int(state.legal[ply, state.you])
    best = -INFINITE
    for move in range(4):
        if (moves >> move) & 1:
            score = call_search(state.search, state, game, weights, ply, depth, move, -INFINITE, INFINITE)
            if state.stopped:
                return best
            if score > best:
                best = score
                update_pv(state, ply)
    if abs(best) >= HEURISTIC_LIMIT:
        return best
    return (own + depth * best) // (depth + 1)


BREADTH = SearchKernel(reply_node)
