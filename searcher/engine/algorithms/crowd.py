"""Crowd search: minimax in which opponents are as likely to make their likely moves as to play against me.

With several opponents, paranoid minimax lets all of them act as one against me on every turn of the search. A
deep search then finds losses that independent opponents could force only if they cooperated for ten turns,
and all moves look alike, although no opponent hunts me. Here, in each reply, every opponent makes its likely
move, except for at most one opponent. This follows opponent-pruning paranoid search (Baier and Kaisers,
"Opponent-Pruning Paranoid Search", 2020). The score of my move is the mean of the score after the likely
reply and the least score of all replies. Donkers, Uiterwijk and van den Herik blend opponent models in this
way ("Probabilistic opponent-model search", 2001).

A reply with an exception has a price: it is searched less deep. An exception by a neighbour is free, because
its attack needs no plan. With three or more snakes a win is not proven, because some replies are never
searched, and a loss is a loss to likely moves. With at most one opponent this is `paranoid`. Everything else
is as in `paranoid`, including the search below a turn.
"""

from functools import cache

import numpy as np

from searcher.engine.algorithms import paranoid
from searcher.engine.algorithms.brs import pick_reply, reward
from searcher.engine.algorithms.paranoid import search_joint
from searcher.engine.features.distance import NO_FOOD, distance, nearest_food
from searcher.engine.jit import cells
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.rules.board import (
    free_cells,
    is_alive,
    living_others,
    move_bits,
    ring_cell,
    with_move,
)
from searcher.engine.rules.records import Board, Game, Shape, Weights
from searcher.engine.search import table
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.score import HEURISTIC_LIMIT, INFINITE
from searcher.engine.search.state import MAX_DEPTH, State

CROWD_OPPONENTS = 2
"""The smallest number of living opponents that are a crowd."""

NEIGHBOUR_STEPS = 3
"""The largest distance between two heads at which an opponent is a neighbour."""

PRICE = 1
"""The turns of depth that a reply costs if an opponent other than a neighbour leaves its likely move."""

WORST_HEURISTIC = 1 - HEURISTIC_LIMIT
"""The least score that is not a proven end."""

EXIT = 2
"""The points of each free neighbour of the cell that a likely move enters."""

DEAD_END = -8
"""The points of a cell without a free neighbour."""

STRAIGHT = 1
"""The points of the move straight on."""

FOOD = 3
"""The points of a step towards the nearest food."""

PREY, DANGER = 2, -8
"""The points for each head next to the cell that a move enters: of a shorter snake, and of any other.

The points of a shorter snake make up for the exit that its head takes.
"""


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that crowd search keeps in addition to the shared state.

    key: by ply, the table key of the position for which `likely` and `replies` are valid. likely: by ply, the
    opponents' likely moves as a joint move. replies: by ply, their other legal moves, four bits a snake.
    """
    plies = (MAX_DEPTH + 1,)
    return np.dtype(
        [("key", np.uint64, plies), ("likely", np.int64, plies), ("replies", np.int64, plies)], align=True
    )


def min_node(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, alpha: int, beta: int
) -> int:
    """Return the score of my move by its replies, with the contract of `paranoid.min_node`."""
    if living_others(state.boards[ply], state.you) < CROWD_OPPONENTS:
        return paranoid.min_node(state, game, weights, ply, depth, move, alpha, beta)
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
    score, reply = blend_of_replies(state, game, weights, ply, depth, move, killer, alpha, beta)
    if depth > 1 and not state.stopped:
        table.save(state, key, depth, ply, score, table.bound_for(score, alpha, beta), reply)
    return score


@njit
def blend_of_replies(
    state: State,
    game: Game,
    weights: Weights,
    ply: int,
    depth: int,
    move: int,
    killer: int,
    alpha: int,
    beta: int,
) -> tuple[int, int]:
    """Return the blend of the likely reply's score and the least score, and the reply with the least score.

    A reply is a number: four times its snake plus the direction. The likely reply has my own snake's number.
    The likely reply is searched first. Its score and the window bound the other scores that matter, as in
    Star1 (Ballard, "The *-minimax search procedure for trees containing chance nodes", 1983).
    """
    likely, worst, replies = 4 * state.you + move, 4 * state.you + move, state.own.replies[ply]
    top = beta
    usual = score_of(state, game, weights, ply, depth, move, likely, alpha, top)
    least = score = usual
    if usual > -HEURISTIC_LIMIT and beta <= WORST_HEURISTIC:
        # No reply makes the blend a loss.
        return WORST_HEURISTIC, likely
    while replies != 0 and score > alpha and not state.stopped:
        reply = pick_reply(state, ply, replies, killer)
        replies ^= 1 << reply
        low, high = bounds(usual, least, alpha, beta)
        found = score_of(state, game, weights, ply, depth, move, reply, low, high)
        if usual >= top and blend(usual, found) < beta:
            # The usual score is only a lower bound, and now the blend depends on it.
            top = INFINITE
            usual = score_of(state, game, weights, ply, depth, move, likely, usual - 1, top)
            low, high = bounds(usual, least, alpha, beta)
            found = score_of(state, game, weights, ply, depth, move, reply, low, high)
        if found < least:
            least, worst = found, reply
        score = blend(usual, least)
    if score <= alpha:
        reward(state, ply, move, worst, depth)
    return score, worst


@njit
def blend(usual: int, least: int) -> int:
    """Return the score of my move, from the score after the likely reply and the least score of all replies.

    It is their mean. If I lose or draw after the likely reply, it is the least score, so that it is proven,
    too. A loss after another reply alone is no proven loss of my move.
    """
    if usual <= -HEURISTIC_LIMIT:
        return least
    return max(WORST_HEURISTIC, (usual + least) >> 1)


@njit
def bounds(usual: int, least: int, alpha: int, beta: int) -> tuple[int, int]:
    """Return the window for the score of a next reply: outside of it, the blend is outside (alpha, beta)."""
    if usual <= -HEURISTIC_LIMIT:
        return alpha, min(least, beta)
    low = 2 * alpha + 1 - usual if alpha >= WORST_HEURISTIC else -INFINITE
    return max(-INFINITE, low), min(least, 2 * beta - usual)


@njit
def score_of(
    state: State,
    game: Game,
    weights: Weights,
    ply: int,
    depth: int,
    move: int,
    reply: int,
    alpha: int,
    beta: int,
) -> int:
    """Return the score after my move and a reply. Unlikely replies begin with a null window."""
    joint, lower = state.own.likely[ply] | move_bits(state.you, move), alpha
    if reply >> 2 != state.you:
        joint = with_move(joint, reply >> 2, reply & 3)
        depth, lower = max(1, depth - price(state, game, ply, reply >> 2)), max(alpha, beta - 1)
    score = search_joint(state, game, weights, ply, depth, joint, lower, beta)
    if alpha < score <= lower:
        score = search_joint(state, game, weights, ply, depth, joint, alpha, score + 1)
    return score


@njit
def price(state: State, game: Game, ply: int, snake: int) -> int:
    """Return the turns of depth that a reply costs if this opponent leaves its likely move."""
    board = state.boards[ply]
    near = distance(game, board.head[state.you], board.head[snake]) <= NEIGHBOUR_STEPS
    return 0 if near else PRICE


@njit
def predict_replies(state: State, game: Game, ply: int) -> None:
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


@njit
def likely_move(game: Game, board: Board, snake: int, moves: int, free: Cells) -> int:
    """Return the likely move of a living snake: the legal move with most points.

    `moves` are its legal moves as bits, at least one. `free` is `free_cells` of the board. Ties go to the
    first move by direction. The move depends on the position alone, as a transposition table requires.
    """
    best, best_points = 0, -1000
    if moves & (moves - 1) == 0:
        while (moves >> best) & 1 == 0:
            best += 1
        return best
    food = nearest_food(game, board, board.head[snake])
    for move in range(4):
        if (moves >> move) & 1:
            points = points_of(game, board, snake, move, free, food)
            if points > best_points:
                best, best_points = move, points
    return best


@njit
def points_of(game: Game, board: Board, snake: int, move: int, free: Cells, food: int) -> int:
    """Return the points of a legal move. `food` is the nearest food to the head, or NO_FOOD."""
    head = board.head[snake]
    target = game.neighbours[head, move]
    exits = 0
    for direction in range(4):
        exits += int(cells.contains(free, game.neighbours[target, direction]))
    points = EXIT * exits if exits > 0 else DEAD_END
    if board.head_at[snake] > board.tail_at[snake]:
        neck = ring_cell(game, snake, board.head_at[snake] - 1)
        points += STRAIGHT * int(game.neighbours[neck, move] == head)
    if food != NO_FOOD and distance(game, target, food) < distance(game, head, food):
        points += FOOD
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other) and distance(game, target, board.head[other]) == 1:
            points += PREY if board.length[other] < board.length[snake] else DANGER
    return points


CROWD = SearchKernel(min_node, own_state)
