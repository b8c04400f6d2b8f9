"""Crowd search: paranoid minimax in which a coalition of opponents costs depth.

With several opponents, paranoid minimax lets all of them act as one against me on every turn of the search. A
deep search then finds losses that independent opponents could force only if they cooperated for ten turns,
and gives up although no opponent hunts me. Here, in each reply, every opponent makes its likely move, except
for at most one opponent. This follows opponent-pruning paranoid search (Baier and Kaisers, "Opponent-Pruning
Paranoid Search", 2020). A reply with such an exception has a price: it is searched less deep. So the search
finds a loss by an opponent that hunts me on every turn at twice the depth of a loss by likely moves. An
exception by a neighbour is free, because its attack needs no plan.

The price rises with `own.trust`. If all root moves lose, iterative deepening searches again with more trust
(`CrowdDeepening`). With three or more snakes a win is not proven, because some replies are never searched. A
loss consists of legal moves. With at most one opponent this is `paranoid`. Everything else is as in
`paranoid`, including the search below a turn.
"""

from functools import cache
from typing import Any

import numpy as np

from searcher.engine.algorithms.brs import pick_reply
from searcher.engine.algorithms.paranoid import score_after_replies, search_joint
from searcher.engine.features.distance import distance
from searcher.engine.features.likely import likely_move
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import free_cells, is_alive, living_others, move_bits, with_move
from searcher.engine.rules.records import Shape
from searcher.engine.search import table
from searcher.engine.search.kernels import MAX_DEPTH, SearchKernel
from searcher.engine.search.ordering import update_history
from searcher.engine.search.score import INFINITE

CROWD_OPPONENTS = 2
"""The smallest number of living opponents that are a crowd."""

NEIGHBOUR_STEPS = 3
"""The largest distance between two heads at which an opponent is a neighbour."""

PRICE = 1
"""The turns of depth that a reply costs if an opponent other than a neighbour leaves its likely move."""


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that crowd search keeps in addition to the shared state.

    trust: the turns of depth that a reply costs if an opponent leaves its likely move, in addition to PRICE.
    key: by ply, the table key of the position for which `likely` and `replies` are valid. likely: by ply, the
    opponents' likely moves as a joint move. replies: by ply, their other legal moves, four bits a snake.
    """
    plies = (MAX_DEPTH + 1,)
    return np.dtype(
        [
            ("trust", np.int64),
            ("key", np.uint64, plies),
            ("likely", np.int64, plies),
            ("replies", np.int64, plies),
        ],
        align=True,
    )


def min_node(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return the score of my move against likely replies, with the contract of `paranoid.min_node`."""
    if living_others(state.boards[ply], state.you) < CROWD_OPPONENTS:
        return score_after_replies(state, game, weights, ply, depth, move, alpha, beta)
    key = data = np.uint64(0)
    if depth > 1:
        key = table.key_after_move(state.keys[ply], move)
        data = table.probe(state, key)
    if data != 0 and beta - alpha == 1 and table.allows_cutoff(data, ply, depth, beta):
        return table.score_of(data, ply)
    predict_replies(state, game, ply)
    # On this ply, `paranoid` may have searched positions with one opponent less, and left other values here.
    state.far[ply] = 0
    killer = table.move_in(data) if data != 0 else state.killer[ply, move]
    killer = killer if killer < 4 * len(state.boards[ply].head) else 0
    best, reply = min_over_replies(state, game, weights, ply, depth, move, killer, alpha, beta)
    if depth > 1 and not state.stopped:
        table.save(state, key, depth, ply, best, table.bound_for(best, alpha, beta), reply)
    return best


@njit
def min_over_replies(
    state: Any, game: Any, weights: Any, ply: int, depth: int, move: int, killer: int, alpha: int, beta: int
) -> tuple[int, int]:
    """Return the least score of all replies, and its reply. The likely reply is searched first.

    A reply is a number: four times its snake plus the direction. The likely reply has my own snake's number.
    """
    likely = 4 * state.you + move
    base, replies = state.own.likely[ply] | move_bits(state.you, move), state.own.replies[ply]
    best, best_reply, upper, reply = INFINITE, likely, beta, likely
    while reply >= 0:
        joint, deep = with_move(base, reply >> 2, reply & 3), depth
        if reply != likely:
            deep = max(1, depth - price(state, game, ply, reply >> 2))
        lower = alpha if best == INFINITE else max(alpha, upper - 1)
        score = search_joint(state, game, weights, ply, deep, joint, lower, upper)
        if alpha < score <= lower:
            score = search_joint(state, game, weights, ply, deep, joint, alpha, score + 1)
        if state.stopped:
            break
        if score < best:
            best, best_reply = score, reply
            upper = min(upper, best)
        if best <= alpha:
            reward(state, ply, move, reply, depth)
            break
        reply = -1
        if replies != 0:
            reply = pick_reply(state, ply, replies, killer)
            replies ^= 1 << reply
    return best, best_reply


@njit
def price(state: Any, game: Any, ply: int, snake: int) -> int:
    """Return the turns of depth that a reply costs if this opponent leaves its likely move."""
    board = state.boards[ply]
    near = distance(game, board.head[state.you], board.head[snake]) <= NEIGHBOUR_STEPS
    return state.own.trust + (0 if near else PRICE)


@njit
def reward(state: Any, ply: int, move: int, reply: int, depth: int) -> None:
    """Store the reply that refuted my move as the killer, and credit the history of its opponent's move."""
    state.killer[ply, move] = reply
    if reply >> 2 != state.you:
        update_history(state, ply, reply >> 2, reply & 3, depth)


@njit
def predict_replies(state: Any, game: Any, ply: int) -> None:
    """Fill in the opponents' likely moves at a ply, and their other moves. They don't depend on my move."""
    own, board = state.own, state.boards[ply]
    if own.key[ply] == state.keys[ply]:
        return
    free = free_cells(game, board)
    base = replies = 0
    for snake in range(len(board.head)):
        if snake != state.you and is_alive(board, snake):
            moves = int(state.legal[ply, snake])
            likely = likely_move(game, board, snake, moves, free)
            base |= move_bits(snake, likely)
            replies |= (moves ^ (1 << likely)) << (4 * snake)
    own.key[ply], own.likely[ply], own.replies[ply] = state.keys[ply], base, replies


CROWD = SearchKernel(min_node, own_state)
