"""What a value should forecast: who wins, or what the searches of the next turns found.

An outcome says little of a position a hundred turns before. The score of a search there or soon after says
more, if less truly. The lambda-return of temporal-difference learning (Sutton 1988) mixes both: of the
position's score and all that follow, each later one counts lambda times as much, and the outcome counts what
is left. A random move says nothing of the position before it: there the returns of earlier turns end.
"""

from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import expit

from arena.data.columns import Columns
from arena.data.parts import BadDataError
from arena.data.schema import UNKNOWN_MOVE
from arena.learning.samples.numbers import Numbers, log_losses
from searcher.engine.jit.decorator import njit

_STEEPEST = 20.0
"""The greatest slope of a chance to win by score, in log-odds."""


def targets_of(columns: Columns, outcomes: Numbers, decay: float) -> Numbers:
    """Return the targets by sample, from 0 to 1; `decay` is lambda, and with 1 they are the outcomes.

    Raises BadDataError if scores are asked for and there are none.
    """
    if decay == 1.0:
        return outcomes
    snakes = columns.snakes
    chances = _chances(snakes.score.astype(np.float64), outcomes, columns.source)
    order = np.lexsort((columns.turn[snakes.rows], snakes.seat, columns.game.codes[snakes.rows]))
    is_last = np.zeros(len(order), dtype=np.bool_)
    is_last[-1] = True
    for key in (snakes.seat, columns.game.codes[snakes.rows]):
        is_last[:-1] |= key[order[1:]] != key[order[:-1]]
    targets = np.empty(len(order))
    is_random = (snakes.move == UNKNOWN_MOVE) & np.isfinite(snakes.score)
    targets[order] = _returns(chances[order], outcomes[order], is_last, is_random[order], decay)
    return targets


def _chances(scores: Numbers, outcomes: Numbers, source: str) -> Numbers:
    """Return the chance to win that each score says, by the outcomes of all; NaN where no score is known."""
    known = np.isfinite(scores)
    if not known.any():
        raise BadDataError(f"{source}: no search reported a score, which a lambda below 1 needs")

    def loss(slope: float) -> float:
        return float(log_losses(expit(slope * scores[known]), outcomes[known]).mean())

    found = minimize_scalar(loss, bounds=(0.0, _STEEPEST), method="bounded")
    chances: Numbers = expit(found.x * scores)
    return chances


@njit
def _returns(chances: Any, outcomes: Any, is_last: Any, is_random: Any, decay: float) -> Any:
    """Return the lambda-return of each turn, given the turns of one snake after the other."""
    found = np.empty(len(chances))
    for at in range(len(chances) - 1, -1, -1):
        if is_random[at]:
            found[at] = chances[at]
            continue
        later = outcomes[at] if is_last[at] else found[at + 1]
        found[at] = later if np.isnan(chances[at]) else (1.0 - decay) * chances[at] + decay * later
    return found
