"""How a match's statistics went, block by block."""

from collections.abc import Sequence

from arena.matches.scoring import tally_of
from arena.matches.standing import Standing
from arena.statistics import elo
from arena.statistics.sprt import Sprt
from arena.statistics.tally import Tally
from estimation.estimate import Estimate

MOST_POINTS = 150
"""Of a path; a longer match is looked at every few blocks."""


def checkpoints(blocks: int) -> list[int]:
    """Numbers of blocks to look at, evenly spaced; the last is all of them."""
    points = min(blocks, MOST_POINTS)
    return [round(blocks * point / points) for point in range(1, points + 1)]


def elo_histories(standing: Standing) -> list[list[Estimate]]:
    """At each checkpoint the Elo against the others: of the first of two entrants, of each of more."""
    entrants = len(standing.setup.entrants)
    return [
        [elo.logistic_elo(tally) for tally in _tallies(standing, index)]
        for index in range(1 if entrants == 2 else entrants)
    ]


def llr_history(standing: Standing, sprt: Sprt) -> list[float]:
    """The log-likelihood ratio at each checkpoint."""
    return [sprt.log_likelihood_ratio(tally) for tally in _tallies(standing, 0)]


def _tallies(standing: Standing, entrant: int) -> Sequence[Tally]:
    values = [shares[entrant] for shares in standing.points]
    return [tally_of(standing.setup, values[:blocks]) for blocks in checkpoints(len(values))]
