"""The names that evaluators import: `Weight`, re-exported from the interface, and functions of a board.

All names except Weight are for compiled code. `docs/evaluators.md` explains each of them.
"""

from searcher.engine.features.distance import (
    NO_FOOD,
    distance,
    edge_distance,
    lowest_health,
    nearest_food,
    nearest_heads,
)
from searcher.engine.features.flood import (
    NOWHERE,
    area,
    closes_loop,
    fill,
    neighbours,
    race_to_food,
    reach,
    reach_in_time,
)
from searcher.engine.features.terms import (
    Terms,
    crowding,
    harm,
    lateness,
    log_ratio,
    longest_other,
    reaches_tail,
    safe_cells,
    share_of_haste,
    terms,
    walkable,
    worth_of_lead,
)
from searcher.engine.jit import cells, stack
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import Cells
from searcher.engine.position import MAX_HEALTH
from searcher.engine.rules.board import free_cells, has, is_alive, legal_moves, turn_of
from searcher.engine.rules.records import Board, Game, Weights
from searcher.interface import Weight

__all__ = [
    "MAX_HEALTH",
    "NOWHERE",
    "NO_FOOD",
    "Board",
    "Cells",
    "Game",
    "Terms",
    "Weight",
    "Weights",
    "area",
    "cells",
    "closes_loop",
    "crowding",
    "distance",
    "edge_distance",
    "fill",
    "free_cells",
    "harm",
    "has",
    "is_alive",
    "lateness",
    "legal_moves",
    "log_ratio",
    "longest_other",
    "lowest_health",
    "nearest_food",
    "nearest_heads",
    "neighbours",
    "njit",
    "race_to_food",
    "reach",
    "reach_in_time",
    "reaches_tail",
    "safe_cells",
    "share_of_haste",
    "stack",
    "terms",
    "turn_of",
    "walkable",
    "worth_of_lead",
]
