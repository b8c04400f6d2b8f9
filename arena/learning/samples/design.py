"""What a fit works on: the outcomes of positions, the strengths of players, and the games."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags_array

from arena.data.columns import Columns, Named
from arena.data.parts import BadDataError
from arena.learning.samples.numbers import Numbers
from arena.learning.samples.targets import targets_of

SPLITS = 5
"""The games are split into so many parts; each is forecast by a fit of the others."""


@dataclass(frozen=True, slots=True)
class Design:
    """The samples of a fit, one for each snake of a position."""

    targets: Numbers
    """What the value should forecast, from 0 to 1: the outcome, or what the next searches found."""
    outcomes: Numbers
    games: NDArray[np.int64]
    folds: NDArray[np.int64]
    strengths: csr_matrix
    """By sample and player: 1 for its own player, and less its share of the opponents for each other one.

    The columns are those of all players but the most frequent, whose strength is 0.
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
    asked for and there are none.
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
    """Return the matrix of players: its product with their strengths is by how much a snake is favoured."""
    snakes = columns.snakes
    players, ones = len(snakes.player.names), np.ones(len(snakes))
    own = csr_matrix((ones, (np.arange(len(snakes)), snakes.player.codes)), shape=(len(snakes), players))
    all_of_row = csr_matrix((ones, (snakes.rows, snakes.player.codes)), shape=(len(columns), players))
    others = np.maximum(np.diff(columns.first) - 1, 1)[snakes.rows]
    # All snakes of the position less the own one are the opponents.
    matrix = own - diags_array(1.0 / others) @ (all_of_row[snakes.rows] - own)
    return csr_matrix(csr_matrix(matrix)[:, np.arange(players) != most_frequent(snakes.player)])


def most_frequent(player: Named) -> int:
    """Return the code of the player with the most snakes, with whom the others are compared."""
    return int(np.bincount(player.codes, minlength=len(player.names)).argmax())
