"""What one search thread works on: a stack of boards, one for each ply, and what it learns on the way."""

from functools import cache
from typing import Any

import numpy as np

from searcher.engine.rules.records import Shape, board_dtype
from searcher.engine.search.matrix import tableau_width

MAX_DEPTH = 120
"""The deepest search, in turns."""

MAX_COLUMNS = 64
"""The most joint moves of others that a turn's matrix has a column for."""


@cache
def outlook_dtype(shape: Shape) -> np.dtype[np.void]:
    """The record of what a search with a score for each snake expects of a position.

    scores: by snake. line: by ply from the root, the joint moves that lead there; line_end: the ply after
    its last one.
    """
    return np.dtype(
        [
            ("scores", np.int64, (shape.snakes,)),
            ("line", np.uint16, (MAX_DEPTH + 1,)),
            ("line_end", np.int64),
        ],
        align=True,
    )


_SCALARS: list[Any] = [
    ("reduces", np.int64),
    ("contrary", np.int64),
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
    ("bound", np.uint64),
    ("clock", np.uint64),
    ("now", np.int64, (2,)),
    ("table", np.uint64),
    ("table_mask", np.uint64),
    ("filter", np.uint64),
    ("generation", np.uint64),
]


def _matrix_fields(columns: int) -> list[Any]:
    return [
        ("rows", np.int64, (MAX_DEPTH + 1,)),
        ("columns", np.int64, (MAX_DEPTH + 1,)),
        ("crowded", np.int64, (MAX_DEPTH + 1,)),
        ("matrix", np.int32, (MAX_DEPTH + 1, 2, 4, columns)),
        ("row_odds", np.float64, (2, 4)),
        ("column_odds", np.float64, (2, columns)),
        ("tableau", np.float64, (4 + 1, tableau_width(4, columns))),
    ]


@cache
def tree_dtype(shape: Shape) -> np.dtype[np.void]:
    """The record of a search thread.

    boards: by ply, the root's first. legal: by ply and snake, moves as bits.
    line: by ply, the joint moves that were best from there; line_length says how many. reply_line,
    reply_length: the same below the move of mine whose replies are being looked at.
    history: by snake, cell of its head and direction, how often and how near the root it was a cutoff.
    killer: by ply and my move, the reply that last refuted it: a joint move, or as the search numbers them.
    order, choices: by ply and snake, its legal moves, most promising first, and how many.
    odometer: by ply and snake, its choice in the reply being looked at. far: by ply, the snakes, as bits, of
    which only one move is looked at.
    keys: by ply, the board's key in the table, once I have decided there.
    reduces: whether what seldom matters is looked at less closely. contrary: whether late choices are looked
    at worst first.
    outlook: by ply, what is expected of the position there. chosen: by ply and snake, what is expected after
    the best of the moves it has looked at, all choices made before it being what they are.
    rows, columns: by ply, of a turn's matrix. crowded: by ply, whether one column is all replies.
    matrix: by ply, what its entries are at least, and at most. row_odds, column_odds: of the solutions of
    these two, of the ply last solved. tableau: room to solve one.
    you: the snake that asks. contested: whether there are others, so that it can win.
    nodes, node_limit: counted and allowed. evaluations, table_hits: counted.
    poll_at: the node at which to look at the clock next. stopped: whether to unwind.
    search, evaluator, clock, table, filter: addresses. bound: another, of the evaluator's `at_least`, or 0.
    now: what the clock says.
    table_mask: its lines less one. generation: of this search in the table.
    """
    lines = (MAX_DEPTH + 2, MAX_DEPTH + 2)
    return np.dtype(
        [
            ("boards", board_dtype(shape), (MAX_DEPTH + 1,)),
            ("legal", np.uint8, (MAX_DEPTH + 1, shape.snakes)),
            ("line", np.uint32, lines),
            ("line_length", np.int64, (MAX_DEPTH + 2,)),
            ("reply_line", np.uint32, lines),
            ("reply_length", np.int64, (MAX_DEPTH + 2,)),
            ("history", np.int32, (shape.snakes, shape.cells, 4)),
            ("killer", np.int64, (MAX_DEPTH + 1, 4)),
            ("order", np.uint8, (MAX_DEPTH + 1, shape.snakes, 4)),
            ("choices", np.uint8, (MAX_DEPTH + 1, shape.snakes)),
            ("odometer", np.uint8, (MAX_DEPTH + 1, shape.snakes)),
            ("outlook", outlook_dtype(shape), (MAX_DEPTH + 1,)),
            ("chosen", outlook_dtype(shape), (MAX_DEPTH + 1, shape.snakes)),
            ("far", np.int64, (MAX_DEPTH + 1,)),
            ("keys", np.uint64, (MAX_DEPTH + 1,)),
            *_SCALARS,
            *_matrix_fields(min(4 ** (shape.snakes - 1), MAX_COLUMNS)),
        ],
        align=True,
    )
