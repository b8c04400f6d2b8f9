"""The tree of `mcts`: its nodes in the thread's own memory, and the proven ends in it.

A node is a position, together with the statistics of each snake's moves there. A child is found by its parent
and its joint move, in a hash table with open addressing. The memory is allocated as a whole and used node by
node, so that a short search touches little of it.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import is_alive
from searcher.engine.rules.records import Shape, board_dtype
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT
from searcher.engine.search.state import MAX_DEPTH

TREE_BYTES = 64 << 20
"""Bytes for the nodes of a tree."""

ROOT = 0
"""The index of the root's node."""

NO_NODE = 0
"""This index means that a child is missing. The root is never a child."""

UNPROVEN = 0
"""This number in place of a proven score means that no score is proven."""

_HASH_FACTOR = 0x9E3779B1
_HASH_SHIFT = 24


Node: TypeAlias = Any
"""A node in compiled code: a record of `node_dtype`, with its fields as attributes."""

Tree: TypeAlias = Any
"""The tree in compiled code: the record of `own_state`, with its fields as attributes."""


@cache
def node_dtype(shape: Shape) -> np.dtype[np.void]:
    """Return the record of a node.

    board: the position. parent, joint: the parent's index, and the joint move from there to here. visits: the
    number of iterations that came here. ended: whether I am dead here or the game is over. legal: by snake,
    moves as bits. values: by snake, the value of the position itself, from -1 to 1. move_visits, move_values:
    by snake and move, the number of times that the snake chose the move, and the sum of the values that
    followed. main_child: by my move, its most visited child. replies: the number of the opponents' joint
    moves. settled: by my move, the number of replies with a proven score. least, most: the least and the
    greatest of these scores. proven_moves: by my move, its proven score. proven: the proven score of the
    position.
    """
    per_snake, per_move = (shape.snakes,), (shape.snakes, 4)
    return np.dtype(
        [
            ("parent", np.int32),
            ("joint", np.int32),
            ("visits", np.int32),
            ("ended", np.int32),
            ("board", board_dtype(shape)),
            ("legal", np.uint8, per_snake),
            ("values", np.float64, per_snake),
            ("move_visits", np.int32, per_move),
            ("move_values", np.float64, per_move),
            ("main_child", np.int32, (4,)),
            ("replies", np.int32),
            ("settled", np.int32, (4,)),
            ("least", np.int32, (4,)),
            ("most", np.int32, (4,)),
            ("proven_moves", np.int32, (4,)),
            ("proven", np.int32),
        ],
        align=True,
    )


@cache
def own_state(shape: Shape) -> np.dtype[np.void]:
    """Return the record of the state that the search keeps in addition to the shared state.

    nodes: the tree, in TREE_BYTES bytes. Once the tree is full, the last node is overwritten again and
    again. used: the number of nodes in use. slots: the hash table of the children's indices. path, joints: by
    ply of this iteration, the node's index and the joint move chosen there. values: by snake, the value of
    this iteration. rng: the state of the random number generator.
    """
    capacity, plies = TREE_BYTES // node_dtype(shape).itemsize, MAX_DEPTH + 1
    return np.dtype(
        [
            ("used", np.int64),
            ("rng", np.uint64),
            ("path", np.int64, (plies,)),
            ("joints", np.int64, (plies,)),
            ("values", np.float64, (shape.snakes,)),
            ("nodes", node_dtype(shape), (capacity,)),
            ("slots", np.int32, (1 << (2 * capacity - 1).bit_length(),)),
        ],
        align=True,
    )


@njit
def slot_of(tree: Tree, parent: int, joint: int) -> int:
    """Return the slot of the hash table for a child, whether the child has a node or not."""
    mask = len(tree.slots) - 1
    slot = (((parent << 16 | joint) * _HASH_FACTOR) >> _HASH_SHIFT) & mask
    while tree.slots[slot] != NO_NODE:
        node = tree.nodes[tree.slots[slot]]
        if node.parent == parent and node.joint == joint:
            break
        slot = (slot + 1) & mask
    return slot


@njit
def child_of(tree: Tree, parent: int, joint: int) -> int:
    """Return the index of the child that a joint move leads to, or NO_NODE if it has no node."""
    return int(tree.slots[slot_of(tree, parent, joint)])


@njit
def is_kept(tree: Tree, index: int) -> bool:
    """Return whether a node is part of the tree."""
    return index < len(tree.nodes) - 1


@njit
def new_node(tree: Tree, parent: int, joint: int) -> int:
    """Return the index of a node for a child: a new node or, once the tree is full, the last one."""
    index = min(tree.used, len(tree.nodes) - 1)
    if is_kept(tree, index):
        tree.slots[slot_of(tree, parent, joint)] = index
        tree.used += 1
    node = tree.nodes[index]
    node.parent, node.joint, node.visits = parent, joint, 0
    return index


@njit
def set_moves(node: Node, legal: Sequence[int], you: int) -> None:
    """Fill in the legal moves of a node by its board."""
    node.replies = 1
    for snake in range(len(node.legal)):
        node.legal[snake] = legal[snake]
        if snake != you and is_alive(node.board, snake):
            moves = int(legal[snake])
            node.replies *= (moves & 1) + (moves >> 1 & 1) + (moves >> 2 & 1) + (moves >> 3)


@njit
def settle(node: Node, move: int, score: int, you: int) -> int:
    """Record the proven score of a reply to my move, and return a newly proven score of the node.

    A move that wins against all replies is a proven win, and so is a node with such a move. A move that loses
    against all replies is a proven loss, and so is a node with only such moves. Nothing else is proven,
    because an opponent may miss its right reply. Return UNPROVEN without a newly proven score.
    """
    node.least[move] = score if node.settled[move] == 0 else min(node.least[move], score)
    node.most[move] = score if node.settled[move] == 0 else max(node.most[move], score)
    node.settled[move] += 1
    if node.settled[move] < node.replies or node.proven != UNPROVEN:
        return UNPROVEN
    if node.least[move] >= HEURISTIC_LIMIT or node.most[move] < DRAW:
        node.proven_moves[move] = node.least[move]
        node.proven = proven_score(node, int(node.legal[you]))
    return int(node.proven)


@njit
def proven_score(node: Node, moves: int) -> int:
    """Return the score of a node if the scores of my legal `moves` prove it, else UNPROVEN."""
    best, lost = int(DRAW - HEURISTIC_LIMIT), True
    for move in range(4):
        if (moves >> move) & 1:
            lost = lost and node.proven_moves[move] < DRAW
            if node.proven_moves[move] != UNPROVEN:
                best = max(best, int(node.proven_moves[move]))
    return best if lost or best >= HEURISTIC_LIMIT else UNPROVEN


@njit
def open_moves(node: Node, moves: int) -> int:
    """Return my moves worth choosing: only a proven win, or else the moves that are not lost, or else all."""
    unlost = 0
    for move in range(4):
        if (moves >> move) & 1:
            if node.proven_moves[move] >= HEURISTIC_LIMIT:
                return 1 << move
            unlost |= int(node.proven_moves[move] >= DRAW) << move
    return unlost if unlost != 0 else moves
