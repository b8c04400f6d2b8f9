"""Monte Carlo tree search for simultaneous moves, with the evaluator in place of random games.

This is decoupled UCT (Tak, Lanctot and Winands, "Monte Carlo Tree Search Variants for Simultaneous Move
Games", 2014). At each node every living snake chooses its own move by its own statistics, without the other
snakes' choices. A snake chooses a move that it has not tried there yet, or else one with the greatest sum of

    mean value of the move + EXPLORATION * sqrt(visits of the node) / (1 + visits of the move) * noise

The noise is a random number from 0 to 2. Without the noise all snakes would change their moves at the same
time, and most joint moves would never be played. The bonus is the one of PUCT with equal priors (Rosin, 2011;
Silver et al., "Mastering the game of Go without human knowledge", 2017). The bonus of UCB1 has the logarithm
of the visits instead. With that bonus, if the first sample of a move is a
death, the search hardly ever tries the move again, even if only one reply is deadly.

Each iteration follows the choices from the root out of the tree and adds the reached position. It credits the
position's values to the moves on the way, each snake's value to its own moves. So every snake maximizes its
own value, as in `maxn`, and no coalition is assumed.

The value of a position is the evaluator's value for a living snake, -1 for a dead snake, and 1 for the last
snake alive. Snakes that die together at the end get 0. A value is multiplied by DISCOUNT for each turn on the
way back to the root, so late deaths are better than early ones. Positions after my death are not searched.

`search_tree.settle` proves results that hold against all replies. I never choose a proven loss while I have
another move.
"""

import math

import numpy as np

from searcher.engine.algorithms.search_tree import (
    NO_NODE,
    ROOT,
    UNPROVEN,
    Node,
    Tree,
    child_of,
    is_kept,
    new_node,
    open_moves,
    own_state,
    set_moves,
    settle,
)
from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Word
from searcher.engine.rules.board import is_alive, move_bits, move_of
from searcher.engine.rules.records import RING, Board, Game, Weights
from searcher.engine.search.clock import POLL_EVERY, count_node
from searcher.engine.search.kernels import SearchKernel
from searcher.engine.search.ordering import generate_moves
from searcher.engine.search.ply import UNDECIDED, evaluate, play_ply, terminal_score
from searcher.engine.search.score import HEURISTIC_LIMIT
from searcher.engine.search.state import State

EXPLORATION = 0.2
"""The weight of the bonus for moves that were seldom tried."""

DISCOUNT = 0.99
"""The factor by which a value shrinks with each turn."""

DEAD, DRAWN, LAST_ALIVE = -1.0, 0.0, 1.0
"""The values of a dead snake, of a snake that dies together with the last others, and of the last snake."""

_POLL_EVERY = POLL_EVERY // 8
"""Nodes between two readings of the clock. It is small because each node takes an evaluation per snake."""


def grow_tree(
    state: State, game: Game, weights: Weights, ply: int, depth: int, move: int, until: int, beta: int
) -> int:
    """Grow the tree until `until` nodes are counted or the root's score is proven. Return the tree's size.

    No node is deeper than `depth` turns. Afterwards the tree's root holds the statistics of my moves, and
    `reply_pv` holds a line for each of them. `ply`, `move` and `beta` are not used. Each call continues with
    the tree of the call before.
    """
    if state.own.used == 0:
        plant_root(state)
    while state.nodes < until and state.own.nodes[ROOT].proven == UNPROVEN:
        if not count_node(state):
            break
        state.poll_at = min(state.poll_at, state.nodes + _POLL_EVERY)
        credit_path(state, follow_path(state, game, weights, depth))
    for first in range(4):
        write_line(state, first)
    return state.own.used


@njit
def plant_root(state: State) -> None:
    """Make the root the only node of the tree."""
    root = state.own.nodes[ROOT]
    intrinsics.copy_record(root.board, state.boards[0])
    set_moves(root, state.legal[0], state.you)
    root.visits = 1
    state.own.used = 1


@njit
def follow_path(state: State, game: Game, weights: Weights, depth: int) -> int:
    """Follow joint moves from the root until the path leaves the tree or ends. Return the number of moves."""
    tree, index = state.own, ROOT
    for ply in range(depth):
        tree.path[ply] = index
        node = tree.nodes[index]
        if node.ended != 0:
            return ply
        joint = choose_joint(state, node)
        tree.joints[ply] = joint
        child = child_of(tree, index, joint)
        if child == NO_NODE:
            tree.path[ply + 1] = add_child(state, game, weights, ply, joint)
            return ply + 1
        restore_heads(game, tree.nodes[child].board)
        index = child
    tree.path[depth] = index
    return depth


@njit
def restore_heads(game: Game, board: Board) -> None:
    """Write the heads of a board into the ring buffers of the bodies again.

    Other paths through the tree have overwritten them.
    """
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            game.ring[snake, board.head_at[snake] & (RING - 1)] = board.head[snake]


@njit
def choose_joint(state: State, node: Node) -> int:
    """Return the joint move that consists of each living snake's choice at a node."""
    joint, bonus = 0, EXPLORATION * math.sqrt(float(node.visits))
    for snake in range(len(node.legal)):
        if is_alive(node.board, snake):
            moves = int(node.legal[snake])
            if snake == state.you:
                moves = open_moves(node, moves)
            joint |= move_bits(snake, choose_move(state, node, snake, moves, bonus))
    return joint


@njit
def choose_move(state: State, node: Node, snake: int, moves: int, bonus: float) -> int:
    """Return the move in a non-empty set with the greatest sum of the snake's mean value and the bonus.

    `bonus` is the bonus of a move without visits, before its noise. A move without visits comes first.
    """
    best, best_sum, ties = 0, -np.inf, 0
    for move in range(4):
        if (moves >> move) & 1:
            total, visits = np.inf, float(node.move_visits[snake, move])
            if visits > 0:
                noise = 2.0 * uniform(state.own)
                total = node.move_values[snake, move] / visits + bonus * noise / (1.0 + visits)
            if total > best_sum:
                best, best_sum, ties = move, total, 1
            elif total == best_sum:
                ties += 1
                if next_random(state.own) % np.uint64(ties) == 0:
                    best = move
    return best


@njit
def next_random(tree: Tree) -> Word:
    """Return the next random number of 64 bits (Marsaglia, "Xorshift RNGs", 2003)."""
    number = tree.rng
    number ^= number << np.uint64(13)
    number ^= number >> np.uint64(7)
    number ^= number << np.uint64(17)
    tree.rng = number
    return number


@njit
def uniform(tree: Tree) -> float:
    """Return a random number from 0 to less than 1."""
    return np.float64(next_random(tree) >> np.uint64(11)) * 2.0**-53


@njit
def add_child(state: State, game: Game, weights: Weights, ply: int, joint: int) -> int:
    """Play the joint move of the path's node at a ply. Return the index of the next node."""
    tree, parent = state.own, int(state.own.path[ply])
    intrinsics.copy_record(state.boards[ply], tree.nodes[parent].board)
    play_ply(state, game, ply, joint)
    index = new_node(tree, parent, joint)
    node = tree.nodes[index]
    intrinsics.copy_record(node.board, state.boards[ply + 1])
    score = terminal_score(state, ply + 1)
    node.ended = int(score != UNDECIDED)
    node.proven = UNPROVEN if score == UNDECIDED else score
    if score == UNDECIDED:
        generate_moves(game, state, ply + 1)
        set_moves(node, state.legal[ply + 1], state.you)
    fill_values(state, game, weights, ply + 1, node)
    return index


@njit
def fill_values(state: State, game: Game, weights: Weights, ply: int, node: Node) -> None:
    """Fill in the values of a node, one for each snake. The node's position is the board of a ply."""
    living = 0
    for snake in range(len(node.legal)):
        living += int(is_alive(node.board, snake))
    over = living <= state.contested
    for snake in range(len(node.legal)):
        if is_alive(node.board, snake):
            value = LAST_ALIVE if over else evaluate(state, game, weights, ply, snake) / HEURISTIC_LIMIT
        else:
            drawn = over and living < state.contested and is_alive(state.boards[ply - 1], snake)
            value = DRAWN if drawn else DEAD
        node.values[snake] = value


@njit
def credit_path(state: State, length: int) -> None:
    """From the path's end to the root, add the discounted values to the moves, and pass on proven scores."""
    tree = state.own
    last = tree.nodes[tree.path[length]]
    for snake in range(len(tree.values)):
        tree.values[snake] = last.values[snake]
    proven = UNPROVEN
    if last.visits == 0 and is_kept(tree, tree.path[length]):
        proven = int(last.proven)
    last.visits += 1
    for ply in range(length - 1, -1, -1):
        node, child = tree.nodes[tree.path[ply]], int(tree.path[ply + 1])
        joint = int(tree.joints[ply])
        credit_moves(tree, node, joint)
        mine = move_of(joint, state.you)
        main = node.main_child[mine]
        if is_kept(tree, child) and (main == NO_NODE or tree.nodes[child].visits > tree.nodes[main].visits):
            node.main_child[mine] = child
        if proven != UNPROVEN:
            proven = settle(node, mine, proven, state.you)
        node.visits += 1


@njit
def credit_moves(tree: Tree, node: Node, joint: int) -> None:
    """Multiply the values by DISCOUNT, and add them to the moves that the living snakes chose at a node."""
    for snake in range(len(tree.values)):
        if is_alive(node.board, snake):
            tree.values[snake] *= DISCOUNT
            move = move_of(joint, snake)
            node.move_visits[snake, move] += 1
            node.move_values[snake, move] += tree.values[snake]


@njit
def write_line(state: State, first: int) -> None:
    """Write the most visited line after a move of mine at the root."""
    tree, length = state.own, 0
    index = tree.nodes[ROOT].main_child[first]
    while index != NO_NODE:
        node = tree.nodes[index]
        state.reply_pv[first, length] = node.joint
        length += 1
        index = node.main_child[main_move(node, state.you)]
    state.reply_pv_length[first] = length


@njit
def main_move(node: Node, you: int) -> int:
    """Return my most visited move among the moves worth choosing. Ties go to the first move by direction."""
    best, best_visits, moves = 0, -1, open_moves(node, int(node.legal[you]))
    for move in range(4):
        visits = node.move_visits[you, move]
        if (moves >> move) & 1 and visits > best_visits:
            best, best_visits = move, visits
    return best


MCTS = SearchKernel(grow_tree, own_state)
