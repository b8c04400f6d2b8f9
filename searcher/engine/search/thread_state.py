"""The record that one search thread works on: a stack of boards, one for each ply, and what it has learnt.

All algorithms share these fields. An algorithm that needs more declares a record of its own (`OwnState`),
which is the field `own`.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from searcher.engine.rules.records import Shape, board_dtype

MAX_DEPTH = 120
"""The deepest search, in turns."""

OwnState = Callable[[Shape], "np.dtype[np.void]"]
"""Returns the record of the state that one algorithm keeps besides the shared one, for a shape of board."""


@cache
def state_dtype(shape: Shape, own: OwnState | None = None) -> np.dtype[np.void]:
    """Return the record of a search thread: the algorithm's own fields, if it has any, and the shared ones.

    boards: by ply, the root's first. legal: by ply and snake, moves as bits.
    pv: by ply, the joint moves of the principal variation from there; pv_length: how many. reply_pv,
    reply_pv_length: the same below my move whose replies are being searched.
    history: by snake, cell of its head and direction, how often and how near the root the move was a cutoff.
    killer: by ply and my move, the reply that last refuted it: a joint move, or a number of the algorithm's.
    order, choices: by ply and snake, its moves in the order of the search, and how many.
    odometer: by ply and snake, the index of its move in the reply being searched. far: by ply, the snakes, as
    bits, of which only one move is searched.
    keys: by ply, the board's key in the transposition table, once it is a max node.
    reduces: whether moves that seldom matter are searched less deeply. reverse_late_moves: whether late moves
    are searched in the reverse order.
    you: the snake to move at the root. contested: whether it has opponents, so that it can win.
    nodes, node_limit: counted and allowed. evaluations, table_hits: counted.
    poll_at: the node at which to read the clock next. stopped: whether to unwind.
    search, evaluator, lower_bound, clock, table, filter: addresses; lower_bound may be 0.
    now: the last reading of the clock, in seconds and nanoseconds.
    table_mask: the lines of the table less one. generation: that of this search in the table.
    """
    plies = MAX_DEPTH + 1
    fields: list[Any] = [
        # Ahead of the others: Numba would take a record that only continues another one for its subtype.
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
    ("lower_bound", np.uint64),
    ("clock", np.uint64),
    ("now", np.int64, (2,)),
    ("table", np.uint64),
    ("table_mask", np.uint64),
    ("filter", np.uint64),
    ("generation", np.uint64),
]
