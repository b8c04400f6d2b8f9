"""The record of a search thread: its boards, its experience and its limits."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from searcher.engine.rules.records import Shape, board_dtype

MAX_DEPTH = 120
"""The deepest search, in turns."""

State: TypeAlias = Any
"""A search thread in compiled code: a record of `state_dtype`, with its fields as attributes."""

OwnState = Callable[[Shape], "np.dtype[np.void]"]
"""A function from a shape of board to the record of an algorithm's state besides the shared state."""


@cache
def state_dtype(shape: Shape, own: OwnState | None = None) -> np.dtype[np.void]:
    """Return the record of a search thread: a stack of boards, one for each ply, and its experience.

    All algorithms share these fields. The field `own` is an algorithm's own record, if it has one.

    boards: by ply, the root's first. legal: by ply and snake, moves as bits. pv, pv_length: by ply, the joint
    moves of the principal variation from there, and their number. reply_pv, reply_pv_length: the best line,
    and its length, below my move whose replies are being searched. history: by snake, cell of its head and
    direction, the cutoffs that the move caused, weighted by depth. killer: by ply and my move, the reply that
    last refuted it, as a joint move or as the algorithm's number for it. order, choices: by ply and snake,
    its moves in the order of the search, and their number. odometer: by ply and snake, the index of its move
    in the reply being searched. far: by ply, the snakes, as bits, with only one move to search. keys: by ply,
    the board's key in the transposition table, once it is a max node. reduces: whether moves that seldom
    matter get a smaller depth. reverse_late_moves: whether late moves are searched in the reverse order.
    helper: the number of a thread that may have to end before the others, from 1, otherwise 0. you: the index
    of my snake. contested: whether my snake had opponents at the root, so that it can win. nodes,
    node_limit: the counted and the allowed nodes. evaluations, table_hits: their numbers so far. poll_at: the
    node at which to read the clock next. stopped: whether to unwind. search, evaluator, clock, table, filter:
    addresses. now: the last reading of the clock, in
    seconds and nanoseconds. table_mask: the number of lines of the table less one. generation: this search's
    generation in the table.
    """
    plies = MAX_DEPTH + 1
    fields: list[Any] = [
        # `own` comes first: Numba would take a record that only continues another one for its subtype.
        *([] if own is None else [("own", own(shape))]),
        ("boards", board_dtype(shape), (plies,)),
        ("legal", np.uint8, (plies, shape.snakes)),
        ("pv", np.uint32, (plies + 1, plies + 1)),
        ("pv_length", np.int64, (plies + 1,)),
        ("reply_pv", np.uint32, (plies + 1, plies + 1)),
        ("reply_pv_length", np.int64, (plies + 1,)),
        ("history", np.int32, (shape.snakes, shape.cells, 4)),
        ("killer", np.int64, (plies, 4)),
        ("order", np.uint8, (plies, shape.snakes, 4)),
        ("choices", np.uint8, (plies, shape.snakes)),
        ("odometer", np.uint8, (plies, shape.snakes)),
        ("far", np.int64, (plies,)),
        ("keys", np.uint64, (plies,)),
        *_SCALARS,
    ]
    return np.dtype(fields, align=True)


_SCALARS: list[Any] = [
    ("reduces", np.int64),
    ("reverse_late_moves", np.int64),
    ("helper", np.int64),
    ("you", np.int64),
    ("contested", np.int64),
    ("nodes", np.int64),
    ("evaluations", np.int64),
    ("table_hits", np.int64),
    ("node_limit", np.int64),
    ("poll_at", np.int64),
    ("stopped", np.int64),
    ("search", np.uint64),
    ("evaluator", np.uint64),
    ("clock", np.uint64),
    ("now", np.int64, (2,)),
    ("table", np.uint64),
    ("table_mask", np.uint64),
    ("filter", np.uint64),
    ("generation", np.uint64),
]
