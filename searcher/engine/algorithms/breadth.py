"""Breadth: every direction is searched to the same depth, and the evaluations along the way add up.

After "How the snake slithers" (2020): its search visits shallow positions first, scores each of them, and
folds the scores back to the directions. Nothing is pruned, and every position counts, not only the last one.
So a path that is good throughout beats a path that is good only at its end.

The opponents' moves are not combined. In reply k every opponent makes its k-th legal move, in the order of
Direction. An opponent with fewer legal moves starts over with its first move. So every move of every opponent
is searched, but a turn has at most four replies, with any number of snakes.

The score of a position P, `depth` turns before the search ends:

    lost, drawn, won    loss_at, draw_at, win_at of its ply
    static(P)           = e + (HEURISTIC_LIMIT - e) * died // (2 * opponents), where e is the evaluator's
                          score, opponents the number of opponents alive at the root, and died the number
                          of these opponents that are dead in P
    score(P, 0)         = static(P)
    score(P, depth)     = b, the best score of my legal moves, if b is proven;
                          else (static(P) + depth * b) // (depth + 1)

and the score of my move, from the scores s of the positions that its replies lead to, each `depth - 1` turns
before the end:

    min(s)              if all are lost or drawn
    min(s)              if all are won and there are no other replies: at most one opponent has a choice
    (sum(s) + 3 * replies * min(s)) // (4 * replies)
                        else, with each s clamped to between 1 - HEURISTIC_LIMIT and HEURISTIC_LIMIT - 1

So a heuristic score is a mean along the path, where a death counts as the worst score from there on. The
division // rounds down. The least score has three quarters of the weight, because opponents seldom err. With
the mean alone, the snake walks into traps that one reply of three closes. The mean keeps one quarter, so that
a path on which opponents may die is better.
"""

from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive, living_others, move_bits
from searcher.engine.rules.records import Game, Weights
from searcher.engine.search.clock import count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import NO_MOVE, generate_moves, order_moves
from searcher.engine.search.ply import (
    UNDECIDED,
    evaluate,
    play_ply,
    terminal_score,
    update_pv,
    update_reply_pv,
)
from searcher.engine.search.score import HEURISTIC_LIMIT, INFINITE
from searcher.engine.search.state import State


def reply_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return the exact score of my move `depth` turns deep, whatever the window.

    After a stop (`state.stopped`) the value is meaningless. The legal moves of this ply must have been
    generated. The search calls this function recursively, by the address in `state.search`.
    """
    replies, complete = list_replies(state, ply)
    least, most, total = INFINITE, -INFINITE, 0
    for number in range(replies):
        joint = joint_reply(state, ply, move, number)
        score = search_joint(state, game, weights, ply, depth, joint)
        if state.stopped:
            return least
        if score < least:
            least = score
            update_reply_pv(state, ply, joint)
        most = max(most, score)
        total += clamp_to_heuristic(score)
    if most <= -HEURISTIC_LIMIT or (complete and least >= HEURISTIC_LIMIT):
        return least
    return (total + 3 * replies * clamp_to_heuristic(least)) // (4 * replies)


@njit
def clamp_to_heuristic(score: int) -> int:
    """Return the heuristic score nearest to a score."""
    return min(max(score, 1 - HEURISTIC_LIMIT), HEURISTIC_LIMIT - 1)


@njit
def list_replies(state: State, ply: int) -> tuple[int, bool]:
    """List the opponents' legal moves. Return the number of replies, and whether no other reply exists."""
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
def joint_reply(state: State, ply: int, move: int, number: int) -> int:
    """Return the joint move of my move and the reply with this number."""
    joint = move_bits(state.you, move)
    for snake in range(len(state.boards[ply].head)):
        choices = int(state.choices[ply, snake])
        if choices != 0:
            joint |= move_bits(snake, int(state.order[ply, snake, number % choices]))
    return joint


@njit
def search_joint(state: State, game: Game, weights: Weights, ply: int, depth: int, joint: int) -> int:
    """Return the score of the position that a joint move leads to, `depth - 1` turns deep. Counts a node."""
    if not count_node(state):
        return 0
    play_ply(state, game, ply, joint)
    state.pv_length[ply + 1] = 0
    score = terminal_score(state, ply + 1)
    if score != UNDECIDED:
        return score
    static = static_score(state, game, weights, ply + 1)
    if depth == 1:
        return static
    return max_node(state, game, weights, ply + 1, depth - 1, static)


@njit
def static_score(state: State, game: Game, weights: Weights, ply: int) -> int:
    """Return a position's own score: the evaluator's score, nearer to a win for each dead opponent."""
    score = evaluate(state, game, weights, ply, state.you)
    opponents = living_others(state.boards[ply], state.you)
    before = living_others(state.boards[0], state.you)
    if opponents == before:
        return score
    return score + (HEURISTIC_LIMIT - score) * (before - opponents) // (2 * before)


@njit
def max_node(state: State, game: Game, weights: Weights, ply: int, depth: int, static: int) -> int:
    """Return the score of a position `depth` turns deep from its static score and the best of my moves."""
    generate_moves(game, state, ply)
    moves = int(state.legal[ply, state.you])
    best = -INFINITE
    for move in range(4):
        if (moves >> move) & 1:
            score = intrinsics.call_search(
                state.search, state, game, weights, ply, depth, move, -INFINITE, INFINITE
            )
            if state.stopped:
                return best
            if score > best:
                best = score
                update_pv(state, ply)
    if abs(best) >= HEURISTIC_LIMIT:
        return best
    return (static + depth * best) // (depth + 1)


BREADTH = SearchKernel(reply_node)
