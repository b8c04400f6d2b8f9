"""The deadlines of a search."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Deadlines:
    """When a search ends and when its answer is due, in seconds of the event loop's clock.

    `search`: the searcher stops searching and returns its result. `answer`, not earlier: the caller stops
    waiting and uses what has arrived.
    """

    search: float
    answer: float
