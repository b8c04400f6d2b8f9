"""The history of a match's statistics, block by block."""

from collections.abc import Sequence

from arena.matches.scoring import tally_of
from arena.matches.standing import Standing
from arena.statistics import elo
from arena.statistics.sprt import Sprt
from arena.statistics.tally import Tally
from battlesnake_search.common.estimation import Estimate

MOST_POINTS = 150
"""The most points of a history; a longer match has one every few blocks."""


def checkpoints(blocks: int) -> list[int]:
    """Return evenly spaced numbers of blocks; the last is the number of all blocks."""
    points = min(blocks, MOST_POINTS)
    return [round(blocks * point / points) for point in range(1, points + 1)]


def elo_histories(standing: Standing) -> list[list[Estimate]]:
    """Return the Elo at each checkpoint: of the first of two contenders, or of each of three and more."""
    contenders = standing.setup.contenders
    return [
        [elo.logistic_elo(tally) for tally in _tallies(standing, index)]
        for index in range(1 if contenders == 2 else contenders)
    ]


def llr_history(standing: Standing, sprt: Sprt) -> list[float]:
    """Return the log-likelihood ratio at each checkpoint."""
    return [sprt.log_likelihood_ratio(tally) for tally in _tallies(standing, 0)]


def _tallies(standing: Standing, entrant: int) -> Sequence[Tally]:
    values = [shares[entrant] for shares in standing.points]
    return [tally_of(standing.setup, values[:blocks]) for blocks in checkpoints(len(values))]
