"""The timetable at single moments: when searches end, and what may start."""

import pytest

from searcher.serving.scheduling.timetable import LEAD, MIN_SHARE, SPREAD, Entry, Timetable


def _ends(timetable: Timetable) -> list[float]:
    return [end for _, end in timetable.ends(0.0)]


def test_a_wide_search_makes_room_for_several_requests() -> None:
    """Each worker that a search gives back serves a request: the next search keeps its time."""
    timetable, wide, narrow = Timetable(3), Entry(1.0, threads=2), Entry(1.0)
    for entry in (wide, narrow):
        assert timetable.admit(entry, 0.0) and timetable.start_next(0.0) is entry
    assert (wide.held, narrow.held) == (2, 1)
    whole = 1.0 - LEAD.of(1.0)
    for waiting, cut in ((1, [True, False]), (2, [True, False]), (3, [True, True])):
        assert timetable.admit(Entry(0.4), 0.0)
        assert [end < whole - SPREAD.of(whole) for end in _ends(timetable)] == cut, waiting


def test_a_request_with_an_idle_worker_cuts_nothing_back() -> None:
    """It only waits to be started."""
    timetable = Timetable(2)
    assert timetable.admit(Entry(1.0), 0.0) and timetable.start_next(0.0) is not None
    assert timetable.admit(Entry(0.4), 0.0)
    assert _ends(timetable) == [pytest.approx(1.0 - LEAD.of(1.0))]


def test_searches_that_nobody_waits_for_end_one_after_the_other() -> None:
    """The later one started, the earlier it ends, in equal steps of which the first is none."""
    timetable = Timetable(4)
    for _ in range(4):
        assert timetable.admit(Entry(1.0), 0.0) and timetable.start_next(0.0) is not None
    step = SPREAD.of(1.0) / 4
    assert _ends(timetable) == pytest.approx([1.0 - rank * step for rank in range(4)])


@pytest.mark.parametrize("now", [0.0, 100.0])
def test_short_searches_lose_hardly_any_time_to_each_other(now: float) -> None:
    """Their ends are no further apart than a hundredth of their time."""
    timetable = Timetable(4)
    for _ in range(4):
        assert timetable.admit(Entry(now + 0.1), now) and timetable.start_next(now) is not None
    assert min(end for _, end in timetable.ends(now)) >= now + 0.99 * 0.1


def test_a_search_that_starts_too_late_ends_at_its_deadline() -> None:
    """Less than the minimum share is left of its time, and others wait."""
    timetable, late = Timetable(1), Entry(1.0)
    assert timetable.admit(late, 0.0) and timetable.admit(Entry(2.0), 0.0)
    assert timetable.start_next(0.998) is late
    assert [end for _, end in timetable.ends(0.998)] == [1.0]


@pytest.mark.parametrize(
    ("now", "left", "is_admitted"),
    [
        (0.0, MIN_SHARE, True),
        (0.0, 0.9 * MIN_SHARE, False),
        (100.0, 1.1 * MIN_SHARE, True),
        (100.0, 0.9 * MIN_SHARE, False),
    ],
)
@pytest.mark.parametrize("timed", [True, False])
def test_a_request_needs_the_shortest_useful_time(
    now: float, left: float, is_admitted: bool, timed: bool
) -> None:
    """Less of it would find nothing."""
    timetable = Timetable(1)
    assert timetable.admit(Entry(now + left, timed), now) is is_admitted
    assert (timetable.start_next(now) is not None) is is_admitted


def test_a_request_may_wait_for_an_untimed_search() -> None:
    """While that holds the only worker, a timed request needs no more than the shortest useful time."""
    timetable, untimed = Timetable(1), Entry(60.0, timed=False)
    assert timetable.admit(untimed, 0.0) and timetable.start_next(0.0) is untimed
    assert timetable.admit(Entry(0.1), 0.0) and timetable.admit(Entry(0.1), 0.0)
    assert not timetable.admit(Entry(0.9 * MIN_SHARE), 0.0)


def test_untimed_searches_leave_a_worker_to_timed_ones() -> None:
    """Of two workers or more one stays open; a single one is shared."""
    for workers, most in ((1, 1), (2, 1), (3, 2)):
        timetable = Timetable(workers)
        for _ in range(4):
            assert timetable.admit(Entry(60.0, timed=False), 0.0)
        started = [timetable.start_next(0.0) for _ in range(4)]
        assert sum(entry is not None for entry in started) == most
        if workers > 1:
            assert timetable.admit(Entry(1.0), 0.0) and timetable.start_next(0.0) is not None


def test_the_lead_leaves_the_minimum_share() -> None:
    """A search that is hardly longer than that ends by as much before its deadline, and no more."""
    timetable, short = Timetable(1), Entry(MIN_SHARE + 0.0002)
    assert timetable.admit(short, 0.0) and timetable.start_next(0.0) is short
    assert timetable.admit(Entry(1.0), 0.0)
    assert _ends(timetable) == [pytest.approx(MIN_SHARE)]


def test_late_requests_share_what_is_left() -> None:
    """However long the search before them has run, each of them needs the shortest useful time."""
    timetable, long = Timetable(1), Entry(20.0)
    assert timetable.admit(long, 0.0) and timetable.start_next(0.0) is long
    admitted = [timetable.admit(Entry(10.0 + 2.5 * MIN_SHARE), 10.0) for _ in range(3)]
    assert admitted == [True, True, False]
