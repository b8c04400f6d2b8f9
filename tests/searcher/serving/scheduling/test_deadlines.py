"""The deadlines of searches."""

from searcher.serving.scheduling.deadlines import LONGEST_UNTIMED, timetable_entry
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER
from tests.searcher.requests import search_request


def test_a_tokens_longest_search_ends_all_others() -> None:
    """It bounds searches to a depth, and doesn't lengthen those that end before."""
    timed, deep = (
        task_of(each, OFFER) for each in (search_request(milliseconds=500), search_request(depth=9))
    )
    assert timetable_entry(timed, 100.0, None, 0.25).deadline == 100.25
    assert timetable_entry(timed, 100.0, None, 30.0).deadline == 100.5
    assert timetable_entry(deep, 100.0, None, 0.25).deadline == 100.25
    assert timetable_entry(deep, 100.0, None).deadline == 100.0 + LONGEST_UNTIMED
