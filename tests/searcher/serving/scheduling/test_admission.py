"""Admission and shares, in simulations of ideal searches, which use all the time they get."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from searcher.serving.scheduling.admission import (
    LEAD,
    MAX_UNTIMED,
    MIN_SHARE,
    MOST_HELPERS,
    OVERTIME,
    SPREAD,
    Admission,
    Entry,
)

ROUNDING = 1e-9


@dataclass(frozen=True)
class Arrival:
    """A request that arrives `gap` seconds after the last one, has `time` seconds and uses `need` of them."""

    gap: float
    time: float
    need: float = math.inf
    timed: bool = True
    threads: int = 1


@dataclass
class Outcome:
    """The fate of a request."""

    arrival: float
    entry: Entry
    accepted: bool
    end: float = math.nan

    @property
    def share(self) -> float:
        """The seconds that it was searched."""
        return self.end - self.entry.started


class Simulation:
    """A simulation of arrivals."""

    def __init__(self, workers: int) -> None:
        self.admission = Admission(workers)
        self.now = 0.0
        self.outcomes: dict[Entry, Outcome] = {}
        self.needs: dict[Entry, float] = {}
        self.most_held = 0

    def play(self, arrivals: Sequence[Arrival]) -> list[Outcome]:
        """Simulate all arrivals and return their outcomes."""
        for arrival in arrivals:
            self._run_until(self.now + arrival.gap)
            self._arrive(arrival)
        self._run_until(math.inf)
        return list(self.outcomes.values())

    def _arrive(self, arrival: Arrival) -> None:
        entry = Entry(self.now + arrival.time, arrival.timed, arrival.threads)
        self.needs[entry] = arrival.need
        accepted = self.admission.admit(entry, self.now)
        self.outcomes[entry] = Outcome(self.now, entry, accepted)
        self._start()

    def _start(self) -> None:
        while self.admission.start_next(self.now) is not None:
            pass
        self.most_held = max(self.most_held, sum(entry.held for entry, _ in self.admission.ends(self.now)))

    def _run_until(self, horizon: float) -> None:
        while ends := [
            (min(end, entry.started + self.needs[entry]), entry)
            for entry, end in self.admission.ends(self.now)
        ]:
            end, entry = min(ends, key=itemgetter(0))
            if end > horizon:
                break
            self.now = max(self.now, end)
            self.outcomes[entry].end = self.now
            self.admission.remove(entry)
            self._start()
        self.now = horizon if horizon < math.inf else self.now


timed_arrivals = st.lists(
    st.builds(
        Arrival,
        gap=st.floats(0.0, 0.3),
        time=st.floats(0.001, 1.0),
        need=st.one_of(st.just(math.inf), st.floats(0.0, 0.5)),
        threads=st.integers(1, 3),
    ),
    max_size=40,
)
all_arrivals = st.lists(
    st.builds(
        Arrival,
        gap=st.floats(0.0, 0.3),
        time=st.floats(0.001, 1.0),
        need=st.floats(0.0, 0.5),
        timed=st.booleans(),
        threads=st.integers(1, 3),
    ),
    max_size=40,
)


@given(timed_arrivals, st.integers(1, 4))
def test_accepted_requests_finish_in_time(arrivals: list[Arrival], workers: int) -> None:
    """Every accepted request ends by its deadline with at least the minimum share, or all it needs."""
    simulation = Simulation(workers)
    for outcome in simulation.play(arrivals):
        if outcome.accepted:
            assert outcome.end <= outcome.entry.deadline + ROUNDING
            assert outcome.share >= min(MIN_SHARE, simulation.needs[outcome.entry]) - ROUNDING


@given(all_arrivals, st.integers(1, 4))
def test_workers_are_never_exceeded(arrivals: list[Arrival], workers: int) -> None:
    """The threads that search at once are never more than the workers."""
    simulation = Simulation(workers)
    simulation.play(arrivals)
    assert simulation.most_held <= workers


@given(all_arrivals, st.integers(2, 4))
def test_untimed_searches_make_no_timed_one_late(arrivals: list[Arrival], workers: int) -> None:
    """With two workers or more, one is always open to timed requests."""
    for outcome in Simulation(workers).play(arrivals):
        if outcome.accepted and outcome.entry.timed:
            assert outcome.end <= outcome.entry.deadline + ROUNDING


@given(all_arrivals, st.integers(1, 4))
def test_untimed_searches_are_never_cut_back(arrivals: list[Arrival], workers: int) -> None:
    """A search limited by depth or nodes ends when it is complete or at its own deadline."""
    simulation = Simulation(workers)
    for outcome in simulation.play(arrivals):
        if outcome.accepted and not outcome.entry.timed and outcome.end < outcome.entry.deadline - ROUNDING:
            assert outcome.share == pytest.approx(simulation.needs[outcome.entry])


@given(
    st.integers(1, 64),
    st.integers(1, 4),
    st.floats(0.4, 2.0),
)
def test_equal_requests_get_equal_shares(games: int, workers: int, seconds: float) -> None:
    """Simultaneous requests with the same deadline share the time evenly and lose almost none of it."""
    outcomes = Simulation(workers).play([Arrival(0.0, seconds)] * games)
    fair = seconds / math.ceil(games / workers)
    assert all(outcome.share >= (1 - SPREAD.share) * fair - ROUNDING for outcome in outcomes)


def test_the_earliest_deadline_goes_first() -> None:
    """A later request with an earlier deadline overtakes a waiting one."""
    long, short = Simulation(1).play([Arrival(0.0, 1.0), Arrival(0.0, 2.0), Arrival(0.0, 0.3)])[1:]
    assert short.entry.started < long.entry.started


def test_a_search_that_ends_soon_is_not_cut_back() -> None:
    """A search within its share and overtime continues to its deadline, less the lead while others wait."""
    share = 0.2
    soon, late = share * (1 + OVERTIME) - 0.01, share * (1 + OVERTIME) + 0.01
    near, waits = Simulation(1).play([Arrival(0.0, soon), Arrival(0.0, 2 * share)])
    assert near.end == pytest.approx(soon - LEAD.seconds)
    assert waits.end == pytest.approx(2 * share)
    far, _ = Simulation(1).play([Arrival(0.0, late), Arrival(0.0, 2 * share)])
    assert far.end == pytest.approx(share)


@pytest.mark.parametrize("seconds", [0.02, 0.4])
def test_a_search_that_nobody_waits_for_has_all_its_time(seconds: float) -> None:
    """Only while others wait does it end early, by a small part of its time."""
    (alone,) = Simulation(1).play([Arrival(0.0, seconds)])
    assert alone.end == seconds
    first, _ = Simulation(1).play([Arrival(0.0, seconds), Arrival(0.0, 10.0)])
    assert first.end == pytest.approx(seconds - LEAD.of(seconds))
    assert first.end >= 0.9 * seconds


def test_a_request_that_leaves_too_short_a_share_is_refused() -> None:
    """Only the new request is refused: accepted ones keep their places."""
    outcomes = Simulation(1).play([Arrival(0.0, 0.020)] * 6)
    assert [outcome.accepted for outcome in outcomes] == [True] * 4 + [False] * 2


def test_threads_are_granted_when_nobody_waits_for_them() -> None:
    """A request for four threads gets all idle workers, but only one worker while others wait."""
    alone = Simulation(4).play([Arrival(0.0, 1.0, threads=4)])
    assert [outcome.entry.held for outcome in alone] == [4]
    admission = Admission(2)
    entries = [Entry(1.0), Entry(1.0), Entry(1.0, threads=2), Entry(1.0)]
    assert all(admission.admit(entry, 0.0) for entry in entries)
    assert admission.start_next(0.0) is entries[0]
    assert admission.start_next(0.0) is entries[1]
    admission.remove(entries[0])
    admission.remove(entries[1])
    assert admission.start_next(0.5) is entries[2]
    assert entries[2].held == 1


def started(admission: Admission, *entries: Entry) -> None:
    """Start these requests at the same moment."""
    for entry in entries:
        assert admission.admit(entry, 0.0)
        assert admission.start_next(0.0) is entry
    admission.lend(entries)


@pytest.mark.parametrize(("workers", "helpers"), [(1, 0), (2, 1), (3, 2), (64, MOST_HELPERS)])
def test_idle_workers_help_a_search(workers: int, helpers: int) -> None:
    """All of them do, up to a limit, but only if the request leaves the number of threads open."""
    admission, search, narrow = Admission(workers), Entry(1.0, takes_idle=True), Entry(1.0)
    started(admission, search)
    assert (search.held, search.helpers) == (1, helpers)
    admission.remove(search)
    started(admission, narrow)
    assert narrow.helpers == 0


def test_a_request_gets_a_helping_worker_at_once() -> None:
    """No search is cut back for it. A search never gets its helpers back."""
    admission, first, second = Admission(2), Entry(1.0, takes_idle=True), Entry(0.9, takes_idle=True)
    started(admission, first)
    assert admission.admit(second, 0.1)
    assert admission.start_next(0.1) is second
    admission.lend([second])
    assert (first.helpers, second.helpers) == (0, 0)
    assert dict(admission.ends(0.1))[first] == 1.0
    admission.remove(second)
    admission.lend([])
    assert first.helpers == 0


def _ends(admission: Admission) -> list[float]:
    return [end for _, end in admission.ends(0.0)]


def test_a_wide_search_makes_room_for_several_requests() -> None:
    """Each worker that a search gives back serves a request: the next search keeps its time."""
    admission, wide, narrow = Admission(3), Entry(1.0, threads=2), Entry(1.0)
    for entry in (wide, narrow):
        assert admission.admit(entry, 0.0) and admission.start_next(0.0) is entry
    assert (wide.held, narrow.held) == (2, 1)
    whole = 1.0 - LEAD.of(1.0)
    for waiting, cut in ((1, [True, False]), (2, [True, False]), (3, [True, True])):
        assert admission.admit(Entry(0.4), 0.0)
        assert [end < whole - SPREAD.of(whole) for end in _ends(admission)] == cut, waiting


def test_searches_that_nobody_waits_for_end_one_after_the_other() -> None:
    """The later one started, the earlier it ends, in equal steps of which the first is none."""
    admission = Admission(4)
    for _ in range(4):
        assert admission.admit(Entry(1.0), 0.0) and admission.start_next(0.0) is not None
    step = SPREAD.of(1.0) / 4
    assert _ends(admission) == pytest.approx([1.0 - rank * step for rank in range(4)])


@pytest.mark.parametrize(("left", "is_admitted"), [(MIN_SHARE, True), (0.9 * MIN_SHARE, False)])
@pytest.mark.parametrize("timed", [True, False])
def test_a_request_needs_the_shortest_useful_time(left: float, is_admitted: bool, timed: bool) -> None:
    """Less of it would find nothing."""
    admission = Admission(1)
    assert admission.admit(Entry(left, timed), 0.0) is is_admitted
    assert (admission.start_next(0.0) is not None) is is_admitted


def test_the_queue_of_untimed_searches_is_bounded() -> None:
    """A request beyond the bound is refused."""
    admission = Admission(1)
    admitted = [admission.admit(Entry(60.0, timed=False), 0.0) for _ in range(MAX_UNTIMED + 1)]
    assert admitted == [True] * MAX_UNTIMED + [False]
