"""The load run, docs/load.json, and all figures that follow from it without a simulation."""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gateway.play.budget import Delays, divide, first_delays

LOAD = Path(__file__).parents[1] / "load.json"

SEARCH, PAUSE = 0.415, 0.045
"""Seconds of a half-second move, for an engine some 40 ms away: the search, and the pause before the next."""

LEAST_SHARE = 0.005
"""Core seconds. A searcher refuses a search whose share would be less, and the move is a reflex."""

GAMES = (1, 1_000, 1_000_000)
"""Games at once, the columns of the cost table."""

GAME_HOURS = 3 / 60
"""The length of a game."""

CLOUD_RUN, LAMBDA = 0.000024 + 0.0000025, 0.0000167 * 1.73
"""Assumed prices of a core for a second where it is billed by the request.

The price of Cloud Run includes a GiB, and the price of Lambda the 1.73 GB that come with a core.
"""

SEARCHERS, CORES = 100, 2
"""Searchers of a cell, and cores of each."""

GATEWAY_LOAD = 0.5
"""Share of its core that a gateway uses. With more, moves wait for one another."""

POSITION = 4000
"""Bytes of a position."""

TIMEOUT, LAG = 500.0, 5.0
"""Milliseconds for a move, and milliseconds that an answer takes within the region."""

ROUND_TRIPS = {
    "the same zone": 1,
    "the same region": 5,
    "the next region": 25,
    "across a continent": 65,
    "across the Atlantic": 90,
    "across the Pacific": 150,
    "the other side of the world": 280,
}
"""Milliseconds, rounded from the published figures of clouds: assumptions, like prices."""

DIGITS = {
    "games a core": 0,
    "moves/s": 1,
    "depth duel": 1,
    "depth four": 1,
    "searches a core": 1,
    "late": 0,
    "reflex": 0,
    "p50 ms": 0,
    "p99 ms": 0,
    "gateway ms a move": 1,
    "searcher cores": 2,
    "others' cores": 2,
}
"""The columns of the load run, with their digits after the point."""

Round = Mapping[str, Any]
"""The figures of one round by name."""

Rows = list[list[str]]


def read_run() -> dict[str, Any]:
    """Return the load run: its `machine`, its `strategy` and its `rounds`."""
    run: dict[str, Any] = json.loads(LOAD.read_text())
    return run


class Depths:
    """The depth of a search by its core seconds, interpolated over the logarithm of the time.

    Outside the measured range the depth is the depth at its nearest end. Without a search, it is 0.
    """

    def __init__(self, rounds: Sequence[Round], kind: str = "duel") -> None:
        points = sorted((core_seconds(each), each[f"depth {kind}"]) for each in rounds)
        self._times = np.log2([time for time, _ in points])
        self._depths = np.array([depth for _, depth in points])

    def of(self, shares: ArrayLike) -> NDArray[np.float64]:
        """Return the depths of searches with so many core seconds."""
        times = np.asarray(shares, dtype=np.float64)
        depths = np.interp(np.log2(np.maximum(times, 1e-9)), self._times, self._depths)
        return np.where(times < LEAST_SHARE, 0.0, depths)


def core_seconds(measured: Round) -> float:
    """Return the searcher's core seconds of a move."""
    return float(measured["searcher cores"] / measured["moves/s"])


def pace(measured: Round) -> float:
    """Return a game's moves a second."""
    return float(measured["moves/s"] / measured["games a core"])


def cores_for_a_game(measured: Round) -> tuple[float, float]:
    """Return the searcher's and the gateway's cores for one game at this load of the searcher."""
    return 1 / measured["games a core"], pace(measured) * measured["gateway ms a move"] / 1000


def figure(value: float) -> str:
    """Format a value with two significant digits, or with all digits before the point."""
    digits = 0 if value == 0 else max(0, 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"


def span(values: Iterable[float]) -> str:
    """Format the least and the largest of some values."""
    texts = [f"{value:.1f}" for value in sorted(values)]
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"


def load_rows(rounds: Sequence[Round]) -> Rows:
    """Return the rows of the load run."""
    return [[f"{each[name]:.{digits}f}" for name, digits in DIGITS.items()] for each in rounds]


def load_facts(rounds: Sequence[Round]) -> str:
    """Return the findings of the load run, as sentences."""
    duel, four = (
        span(before[name] - after[name] for before, after in pairwise(rounds))
        for name in ("depth duel", "depth four")
    )
    reflexes = [each["games a core"] for each in rounds if each["reflex"]]
    first = f"The first reflexes appear at {reflexes[0]:.0f} games" if reflexes else "No move was a reflex"
    return (
        f"Each doubling of the games costs {duel} turns of depth in a duel and {four} with four snakes. "
        f"By calculation the limit is at {SEARCH / LEAST_SHARE:.0f} games on a core. {first}."
    )


def _load(measured: Round) -> list[str]:
    return [f"{measured['games a core']:.0f}", f"{measured['depth duel']:.1f} / {measured['depth four']:.1f}"]


def cost_rows(rounds: Sequence[Round], price: float) -> Rows:
    """Return the cores and the cost of an hour for GAMES at once, by games on a searcher's core."""
    rows = []
    for each in rounds:
        searcher, gateway = cores_for_a_game(each)
        hourly = (searcher + gateway) * price
        costs = [
            f"{figure(games * searcher)} + {figure(games * gateway)} cores, ${figure(games * hourly)}"
            for games in GAMES
        ]
        rows.append([*_load(each), *costs, f"${figure(hourly * GAME_HOURS)}"])
    return rows


def hosted_facts(rounds: Sequence[Round]) -> str:
    """Return the cost of an hour of a game where processors are billed by the request, as sentences."""
    seconds = core_seconds(rounds[0])
    busy = pace(rounds[0]) * seconds
    return (
        f"A search of {seconds:.2f} s, {pace(rounds[0]):.1f} times a second, keeps an instance busy for "
        f"{busy * 100:.0f} % of the time. At the assumed prices, an hour of a game costs "
        f"${3600 * busy * CLOUD_RUN:.3f} on Cloud Run with one core and one GiB, and "
        f"${3600 * busy * LAMBDA:.3f} on Lambda with 1.73 GB."
    )


def cell_rows(rounds: Sequence[Round]) -> Rows:
    """Return the size and the traffic of a cell, by games on a core."""
    rows = []
    for each in rounds:
        games = each["games a core"] * SEARCHERS * CORES
        moves = games * pace(each)
        gateways = max(2, gateways_for(moves, each))
        counts = (games, gateways, gateways * SEARCHERS)
        traffic = figure(games / (GAME_HOURS * 3600)), figure(moves * POSITION / 1e6)
        rows.append([_load(each)[0], *(f"{count:,.0f}" for count in counts), *traffic])
    return rows


def gateways_for(moves: float, measured: Round) -> int:
    """Return the gateways for so many moves a second."""
    return -int(-moves * measured["gateway ms a move"] / 1000 // GATEWAY_LOAD)


def region_rows(rounds: Sequence[Round]) -> Rows:
    """Return search time and depth by distance, for 1 game and for 8 on a core."""
    kinds = [Depths(rounds, kind) for kind in ("duel", "four")]
    used = {each["games a core"]: core_seconds(each) for each in rounds}
    rows = []
    for place, trip in ROUND_TRIPS.items():
        part = search_time(trip) / search_time(0)
        depths = [f"{depths.of(used[load] * part):.1f}" for load in (1, 8) for depths in kinds]
        first = "in time" if is_first_in_time(trip) else "late"
        rows.append([place, str(trip), f"{search_time(trip):.0f}", *depths, first])
    return rows


def search_time(trip: float) -> float:
    """Return the milliseconds of a search, by the gateway's own rule, once it knows the round trip."""
    return divide(TIMEOUT, Delays(trip, LAG)).search


def is_first_in_time(trip: float) -> bool:
    """Return whether the first move of a game is in time, before the gateway knows the round trip."""
    return divide(TIMEOUT, first_delays(TIMEOUT)).answer + trip < TIMEOUT
