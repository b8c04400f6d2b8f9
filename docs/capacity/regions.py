"""What the distance between an engine and a region costs in time and depth."""

from collections.abc import Sequence

from docs.capacity.measured import Depths, Round, core_seconds
from docs.capacity.page import table
from gateway.play.budget import Delays, divide, first_delays

TIMEOUT = 500.0
"""Milliseconds for a move."""

ROUND_TRIPS = {
    "the same zone": 1,
    "the same region": 5,
    "the next region": 25,
    "across a continent": 65,
    "across the Atlantic": 90,
    "across the Pacific": 150,
    "the other side of the world": 280,
}
"""Milliseconds, rounded from what clouds publish: assumptions, like prices."""

LAG = 5.0
"""Milliseconds that an answer takes within the region."""

LOADS = (1, 8)
"""Games on a core, the columns of the table."""


def region_table(rounds: Sequence[Round]) -> str:
    """Return the table of search time and depth by distance."""
    head = (
        "the engine is in",
        "round trip, ms",
        "search, ms",
        *(f"depth of {kind}, {load} a core" for load in LOADS for kind in ("a duel", "four")),
        "first move",
    )
    depths = {kind: Depths(rounds, kind) for kind in ("duel", "four")}
    used = {each["games a core"]: core_seconds(each) for each in rounds}
    rows = []
    for place, trip in ROUND_TRIPS.items():
        part = search_time(trip) / search_time(0)
        cells = [f"{depth.of(used[load] * part):.1f}" for load in LOADS for depth in depths.values()]
        first = "in time" if is_first_in_time(trip) else "late"
        rows.append([place, str(trip), f"{search_time(trip):.0f}", *cells, first])
    return table(head, rows)


def search_time(trip: float) -> float:
    """Return the milliseconds of a search, by the gateway's own rule, once it knows the round trip."""
    return divide(TIMEOUT, Delays(trip, LAG)).search


def is_first_in_time(trip: float) -> bool:
    """Return whether the first move of a game is in time, before the gateway knows the round trip."""
    return divide(TIMEOUT, first_delays(TIMEOUT)).answer + trip < TIMEOUT
