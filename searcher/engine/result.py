"""The limits and the result of a search, as plain Python values."""

from dataclasses import dataclass
from enum import Enum

from searcher.engine.position import Direction


class Scores(Enum):
    """The scores of root moves that a search finds."""

    BEST = "best"
    """The best move's score. The scores of the other moves are exact or upper bounds."""
    ALL = "all"
    """The score of each move, as if it were the only one."""
    LOSSES = "losses"
    """The scores of lost moves. The scores of the other moves are lower bounds."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a search besides time. A limit may be None. The first limit reached ends the search."""

    depth: int | None = None
    """The number of turns to look ahead."""
    nodes: int | None = None
    root_moves: tuple[Direction, ...] = ()
    """The only root moves to search. Empty means all."""
    threads: int = 1
    seed: int = 0
    """The seed of random choices. With one thread and a limit of depth or nodes, it determines the result."""
    scores: Scores = Scores.BEST


class StopReason(Enum):
    """The reason for the end of a search."""

    DEADLINE = "deadline"
    DEPTH = "depth"
    NODES = "nodes"
    DECIDED = "decided"
    ONLY_MOVE = "only_move"
    CANCELLED = "cancelled"


class OutcomeKind(Enum):
    """The end of a proven line for the root player."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A proven end, `turns` from now."""

    kind: OutcomeKind
    turns: int


class ScoreKind(Enum):
    """The relation of a root move's score to its true score."""

    EXACT = "exact"
    UPPER_BOUND = "upper_bound"
    LOWER_BOUND = "lower_bound"


@dataclass(frozen=True, slots=True)
class RootMove:
    """The result of one root move.

    `score` is from -1 (lost) to 1 (won). It is an upper bound if the search of the move was cut off. A proven
    loss is exact, because nothing is worse. A draw may turn out to be a loss in a deeper search.
    """

    move: Direction
    score: float
    depth: int
    outcome: Outcome | None
    score_kind: ScoreKind = ScoreKind.EXACT


JointMove = tuple[Direction | None, ...]
"""A move for each snake, in the order of the position, or None if it has died or stands still."""


@dataclass(frozen=True, slots=True)
class Result:
    """The state of a search after its last completed depth, or at its end.

    `depth`: completed turns. `nodes`: positions reached by playing one move of every living snake.
    `evaluations`: calls of the evaluator. `table_hits`: positions found in the transposition table.
    `table_fill`: the share of the table in use. `elapsed`: seconds. `stop_reason`: None until the search has
    ended. `root_moves`: best first.
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
