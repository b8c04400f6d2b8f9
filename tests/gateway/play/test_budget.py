"""The time budget, and its delays learned from latencies."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from battlesnake_search.board import Turn
from battlesnake_search.reader import decode
from gateway.play.budget import Budget, Delays, Split, after_late, divide, first_delays
from tests.gateway.scripted_searcher import REQUESTS

TURN = decode((REQUESTS / "standard-move-mid-42.json").read_bytes())

_delays = st.floats(0, 100_000)
_timeouts = st.integers(1, 100_000)


def _turn(number: int, latency: float = 0, timeout: int = 500) -> Turn:
    snakes = [
        msgspec.structs.replace(snake, latency=str(int(latency))) if snake.id == TURN.you.id else snake
        for snake in TURN.board.snakes
    ]
    board = msgspec.structs.replace(TURN.board, snakes=snakes)
    played = msgspec.structs.replace(TURN.game, timeout=timeout)
    return msgspec.structs.replace(TURN, turn=number, board=board, game=played)


def _play(budget: Budget, turns: int, network: float, lag: float, timeout: int = 500) -> list[Split]:
    """Return the divisions of turns whose searches lag, over a network with this delay."""
    splits, latency = [], 0.0
    for number in range(turns):
        turn = _turn(number, latency, timeout=timeout)
        split = budget.divide(turn, late=latency >= timeout)
        spent = min(split.search + lag, split.answer)
        budget.record(turn, split, spent, searched=True)
        latency = spent + network
        splits.append(split)
    return splits


@given(_timeouts, _delays, _delays)
def test_search_and_answer_lie_within_the_timeout(timeout: int, overhead: float, lag: float) -> None:
    """With any delays there is time to search, and the answer is sent before the timeout."""
    split = divide(timeout, Delays(overhead, lag))
    assert 0 < split.search <= split.answer < timeout


@pytest.mark.parametrize(("timeout", "reserve"), [(500, 40), (1000, 60), (100, 20), (10, 2)])
def test_a_reserve_is_kept_for_delays_longer_than_ever(timeout: int, reserve: float) -> None:
    """It is 20 ms and a 25th of the timeout, up to a fifth: half after the search, half after the answer."""
    kept = divide(timeout, Delays(0.0, 0.0))
    assert (kept.search, kept.answer) == pytest.approx((timeout - reserve, timeout - reserve / 2))


def test_learned_delays_are_kept_free() -> None:
    """The overhead shortens search and answer, the lag the search alone."""
    split = divide(500, Delays(60.0, 7.0))
    assert (split.search, split.answer) == pytest.approx((500 - 40 - 60 - 7, 500 - 20 - 60))


@pytest.mark.parametrize(("timeout", "delays"), [(500, (30, 5)), (80, (20, 5)), (16, (4, 2))])
def test_first_delays_fit_the_timeout(timeout: int, delays: tuple[float, float]) -> None:
    """The first guesses are 30 ms and 5 ms, but at most a quarter and an eighth of the timeout."""
    assert first_delays(timeout) == Delays(*delays)


def test_an_overhead_is_never_negative() -> None:
    """An engine may measure less time than the gateway's own clock."""
    budget = Budget(500)
    for number in range(100):
        split = budget.divide(_turn(number, latency=1), late=False)
        budget.record(_turn(number), split, 400, searched=True)
    assert budget.delays.overhead == 0.0


def test_a_late_answer_costs_a_tenth_of_the_timeout() -> None:
    """One late answer does not end the searches of a game."""
    assert after_late(30.0, 500.0) == pytest.approx(80.0)


@pytest.mark.parametrize("network", [1, 40, 150])
def test_on_a_steady_network_no_answer_is_late_and_little_time_is_wasted(network: float) -> None:
    """After the first turns no answer is late, and most of the time that the network leaves is searched."""
    played = _play(Budget(500), turns=150, network=network, lag=1)
    assert all(split.answer + network < 500 for split in played[3:])
    assert played[-1].search >= 0.88 * (500 - network)


def test_a_reported_timeout_shortens_the_next_search() -> None:
    """A reported timeout shortens the next search, even if our own clock measured no delay."""
    budget = Budget(500)
    before = budget.divide(_turn(0), late=False)
    after = budget.divide(_turn(1, latency=500), late=True)
    assert after.search <= before.search - 40


@pytest.mark.parametrize(
    ("turn", "latency", "spent", "searched"),
    [
        pytest.param(7, 300, 100, True, id="latency of a repeated request"),
        pytest.param(9, 300, 100, True, id="latency of an answer of another gateway"),
        pytest.param(8, 0, 1, True, id="search that ended early"),
        pytest.param(8, 0, 460, False, id="answer without a searcher"),
    ],
)
def test_some_answers_teach_nothing(turn: int, latency: float, spent: float, searched: bool) -> None:
    """The next search has the same time as the first one."""
    budget = Budget(500)
    first = budget.divide(_turn(7), late=False)
    budget.record(_turn(7), first, spent, searched)
    assert budget.divide(_turn(turn, latency=latency), late=False) == first


@given(st.integers(1, 2**31 - 1), st.floats(0, 1e10))
def test_no_timeout_makes_a_search_longer_than_the_longest(timeout: int, latency: float) -> None:
    """For any stated timeout and latency, the answer is due before the longest timeout is over."""
    budget = Budget(timeout)
    for number in range(3):
        turn = _turn(number, latency=round(latency), timeout=timeout)
        split = budget.divide(turn, late=round(latency) >= timeout, longest=10_000)
        assert 0 < split.search <= split.answer < min(timeout, 10_000)
