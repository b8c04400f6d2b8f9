"""The history of statistics over a match."""

from hypothesis import given
from hypothesis import strategies as st

from arena.matches.standing import tally_of
from arena.report import findings
from arena.report.findings import MOST_POINTS, checkpoints, elo_histories, llr_history
from arena.statistics import elo
from arena.statistics.sprt import Sprt
from tests.arena.report.random_games import DUEL, random_match, setup_of


@given(st.integers(1, 10_000))
def test_checkpoints_end_with_all_blocks(blocks: int) -> None:
    """Checkpoints ascend to the number of all blocks, and are never too many to draw."""
    numbers = checkpoints(blocks)
    assert numbers == sorted(set(numbers))
    assert (numbers[0] >= 1, numbers[-1]) == (True, blocks)
    assert len(numbers) == min(blocks, MOST_POINTS)


def test_histories_end_with_the_match() -> None:
    """The last points of the histories are the match's own statistics."""
    standing = findings.standing_of(random_match(setup_of(DUEL), 4))
    tally = tally_of(standing.setup, standing.values)
    assert [path[-1] for path in elo_histories(standing)] == [elo.logistic_elo(tally)]
    sprt = Sprt(0, 20)
    assert llr_history(standing, sprt)[-1] == sprt.log_likelihood_ratio(tally)
    assert len(llr_history(standing, sprt)) == 4
