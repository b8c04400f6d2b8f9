"""The samples of a fit: the targets of positions, the strengths of players, and the games.

A target is the outcome, or a mixture of it with the scores of searches. An outcome says little about a
position a hundred turns earlier. The score of a search at the position or soon after says more, but is less
reliable. The lambda-return of temporal-difference learning (Sutton 1988) mixes both: each score counts lambda
times as much as the score before it, and the outcome has the rest of the weight. A random move says nothing
about the position before it, so the returns of earlier turns end there.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix, diags_array
from scipy.special import expit

from arena.data.files import UNKNOWN_MOVE, BadDataError, Columns
from searcher.engine.jit.decorator import njit

Numbers = NDArray[np.float64]

QUANTILE = 1.96
"""A 95 % interval is from value - QUANTILE * error to value + QUANTILE * error, with the standard error."""


def log_losses(chances: Numbers, targets: Numbers) -> Numbers:
    """Return the loss of each forecast: the negative logarithm of the chance that it gave to the outcome."""
    clipped = np.clip(chances, 1e-9, 1.0 - 1e-9)
    losses: Numbers = -(targets * np.log(clipped) + (1.0 - targets) * np.log1p(-clipped))
    return losses


_STEEPEST = 20.0
"""The largest slope of the log-odds of a win as a function of the score."""


def targets_of(columns: Columns, outcomes: Numbers, decay: float) -> Numbers:
    """Return the targets by sample, from 0 to 1. `decay` is lambda: with 1 the targets are the outcomes.

    Raises BadDataError if scores are needed and missing.
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
    """Return the chance to win for each score, fitted to all samples' outcomes. Unknown scores give NaN."""
    known = np.isfinite(scores)
    if not known.any():
        raise BadDataError(f"{source}: no search reported a score, which a lambda below 1 needs")

    def loss(slope: float) -> float:
        return float(log_losses(expit(slope * scores[known]), outcomes[known]).mean())

    found = minimize_scalar(loss, bounds=(0.0, _STEEPEST), method="bounded")
    chances: Numbers = expit(found.x * scores)
    return chances


@njit
def _returns(
    chances: Numbers,
    outcomes: Numbers,
    is_last: NDArray[np.bool_],
    is_random: NDArray[np.bool_],
    decay: float,
) -> Numbers:
    """Return the lambda-return of each turn. All turns of one snake come before the next snake's turns."""
    found = np.empty(len(chances))
    for at in range(len(chances) - 1, -1, -1):
        if is_random[at]:
            found[at] = chances[at]
            continue
        later = outcomes[at] if is_last[at] else found[at + 1]
        found[at] = later if np.isnan(chances[at]) else (1.0 - decay) * chances[at] + decay * later
    return found


SPLITS = 5
"""The games are split into this number of parts. Each part is forecast by a fit to the other parts."""


@dataclass(frozen=True, slots=True)
class Design:
    """The samples of a fit, one for each snake of a position."""

    targets: Numbers
    """The targets of forecasts, from 0 to 1: outcomes, or mixtures with the scores of the next searches."""
    outcomes: Numbers
    games: NDArray[np.int64]
    folds: NDArray[np.int64]
    strengths: csr_matrix
    """By sample and player: 1 for the sample's player, else minus the player's share of the opponents.

    There is a column for each player except the most frequent player. The strength of that player is 0.
    """

    def chosen(self, samples: NDArray[np.bool_]) -> "Design":
        """Return some of the samples."""
        return Design(
            self.targets[samples],
            self.outcomes[samples],
            self.games[samples],
            self.folds[samples],
            self.strengths[samples],
        )


def design_of(columns: Columns, decay: float) -> Design:
    """Return the samples of some data.

    `decay` is the lambda of the targets. Raises BadDataError if all outcomes are the same, or if scores are
    needed and missing.
    """
    snakes = columns.snakes
    outcomes = snakes.outcome.astype(np.float64)
    if np.ptp(outcomes) == 0.0:
        raise BadDataError(
            f"{columns.source}: every outcome is {outcomes[0]:g}: nothing tells good from bad positions"
        )
    return Design(
        targets=targets_of(columns, outcomes, decay),
        outcomes=outcomes,
        games=columns.game.codes[snakes.rows].astype(np.int64),
        folds=columns.fold[snakes.rows].astype(np.int64),
        strengths=_strengths(columns),
    )


def _strengths(columns: Columns) -> csr_matrix:
    """Return the matrix M with M @ strengths = the advantage in strength of each snake over its opponents."""
    snakes = columns.snakes
    players, ones = len(snakes.player.names), np.ones(len(snakes))
    own = csr_matrix((ones, (np.arange(len(snakes)), snakes.player.codes)), shape=(len(snakes), players))
    all_of_row = csr_matrix((ones, (snakes.rows, snakes.player.codes)), shape=(len(columns), players))
    others = np.maximum(np.diff(columns.first) - 1, 1)[snakes.rows]
    # The opponents are all snakes of the position but the own one.
    matrix = own - diags_array(1.0 / others) @ (all_of_row[snakes.rows] - own)
    most_frequent = int(np.bincount(snakes.player.codes, minlength=players).argmax())
    return csr_matrix(csr_matrix(matrix)[:, np.arange(players) != most_frequent])
