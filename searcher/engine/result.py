"""What a search is asked and what it answers, as plain Python values."""

from dataclasses import dataclass
from enum import Enum

from searcher.engine.position import Direction


@dataclass(frozen=True, slots=True)
class Limits:
    """When to stop, besides the clock: at whichever comes first. None: no such limit."""

    depth: int | None = None
    """Turns to look ahead."""
    nodes: int | None = None
    root_moves: tuple[Direction, ...] = ()
    """The only moves to consider; empty: all."""
    threads: int = 1
    seed: int = 0
    """With a depth or nodes and one thread, the same seed gives the same answer."""


class StopReason(Enum):
    """Why a search ended."""

    DEADLINE = "deadline"
    DEPTH = "depth"
    NODES = "nodes"
    DECIDED = "decided"
    ONLY_MOVE = "only_move"
    CANCELLED = "cancelled"


class OutcomeKind(Enum):
    """How a proven line ends for the snake that asked."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A proven end, `turns` from now."""

    kind: OutcomeKind
    turns: int


@dataclass(frozen=True, slots=True)
class RootMove:
    """What a search found out about one move of the root.

    `score` is from -1 (lost) to 1 (won); of a move that was cut off it is an upper bound.
    """

    move: Direction
    score: float
    depth: int
    outcome: Outcome | None


JointMove = tuple[Direction | None, ...]
"""A move for each snake of the position, in its order; None for one that has died or stands still."""


@dataclass(frozen=True, slots=True)
class Result:
    """The state of a search after its last completed depth, or at its end.

    `depth` counts completed turns; `nodes` positions made by playing one move of every living snake;
    `evaluations` the evaluator's calls; `table_hits` positions found in the transposition table, `table_fill`
    the share of it in use; `elapsed` seconds. `stop_reason` is None until the search has ended.
    `root_moves` is best first.
    """

    move: Direction
    score: float
    depth: int
    nodes: int
    evaluations: int
    table_hits: int
    table_fill: float
    elapsed: float
    stop_reason: StopReason | None
    root_moves: tuple[RootMove, ...]
    principal_variation: tuple[JointMove, ...]
