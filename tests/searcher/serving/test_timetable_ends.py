"""The timetable at single moments: when searches end, and what may start."""

import pytest

from searcher.serving.timetable import LEAD, MIN_SHARE, SPREAD, Entry, Timetable


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


@pytest.mark.parametrize(("left", "is_admitted"), [(MIN_SHARE, True), (0.9 * MIN_SHARE, False)])
@pytest.mark.parametrize("timed", [True, False])
def test_a_request_needs_the_shortest_useful_time(left: float, is_admitted: bool, timed: bool) -> None:
    """Less of it would find nothing."""
    timetable = Timetable(1)
    assert timetable.admit(Entry(left, timed), 0.0) is is_admitted
    assert (timetable.start_next(0.0) is not None) is is_admitted


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
