"""Games on a core and what they cost, straight from the load run."""

from collections.abc import Sequence
from itertools import pairwise

from docs.capacity.measured import LEAST_SHARE, SEARCH, Round, Run, core_seconds, cores_for_a_game, pace
from docs.capacity.page import figure, percent, span, table

GAMES = (1, 1_000, 1_000_000)
"""Games at once, the columns of the cost table."""

GAME_MINUTES = 3
"""The length of a game."""

HOSTED = {"Cloud Run": (0.000024 + 0.0000025, 1.0), "Lambda": (0.0000167, 1.73)}
"""Assumed prices where processors are billed by the request: of a unit for a second, and the units of a core.

The unit of Cloud Run is a core with a GiB, that of Lambda a GB, of which 1.73 come with a core.
"""

COLUMNS = {
    "games on the core": ("games a core", 0),
    "moves a second": ("moves/s", 1),
    "depth, duel": ("depth duel", 1),
    "depth, four snakes": ("depth four", 1),
    "searches at once": ("searches a core", 1),
    "late": ("late", 0),
    "reflex": ("reflex", 0),
    "p50 ms": ("p50 ms", 0),
    "p99 ms": ("p99 ms", 0),
    "gateway ms a move": ("gateway ms a move", 1),
    "searcher's cores": ("searcher cores", 2),
    "others' cores": ("others' cores", 2),
}
"""The figure of the load run and its digits after the point, by heading of the page."""


def load_table(run: Run) -> str:
    """Return the table of the load run, what played, and where; without figures that it does not have."""
    columns = {head: each for head, each in COLUMNS.items() if each[0] in run.rounds[0]}
    rows = ([f"{each[name]:.{digits}f}" for name, digits in columns.values()] for each in run.rounds)
    return f"{table(columns, rows)}\n\nStrategy: {run.strategy}. {run.machine}."


def load_facts(rounds: Sequence[Round]) -> str:
    """Return what the table shows, as sentences."""
    steps = {
        kind: [before[f"depth {kind}"] - after[f"depth {kind}"] for before, after in pairwise(rounds)]
        for kind in ("duel", "four")
    }
    reflexes = [each["games a core"] for each in rounds if each["reflex"]]
    first = f"The first reflexes appear at {reflexes[0]:.0f} games" if reflexes else "No move was a reflex"
    return (
        f"Each doubling of the games costs {span(steps['duel'])} turns of depth in a duel and "
        f"{span(steps['four'])} with four snakes. By calculation the limit is at "
        f"{SEARCH / LEAST_SHARE:.0f} games on a core. {first}."
    )


def cost_table(rounds: Sequence[Round], price: float) -> str:
    """Return the table of cores and cost an hour for GAMES at once, by games on a searcher's core."""
    head = (
        "games a core",
        "depth, duel / four",
        *(f"{games:,} at once" for games in GAMES),
        f"one game of {GAME_MINUTES} minutes",
    )
    return table(head, (_cost_row(each, price) for each in rounds))


def _cost_row(measured: Round, price: float) -> list[str]:
    searcher, gateway = cores_for_a_game(measured)
    hourly = (searcher + gateway) * price
    return [
        *_load(measured),
        *(
            f"{figure(games * searcher)} + {figure(games * gateway)} cores, ${figure(games * hourly)}"
            for games in GAMES
        ),
        f"${figure(hourly * GAME_MINUTES / 60)}",
    ]


def _load(measured: Round) -> tuple[str, str]:
    return f"{measured['games a core']:.0f}", f"{measured['depth duel']:.1f} / {measured['depth four']:.1f}"


def hosted_facts(rounds: Sequence[Round]) -> str:
    """Return what an hour of a game costs where processors are billed by the request, as sentences."""
    seconds = core_seconds(rounds[0])
    busy = pace(rounds[0]) * seconds
    costs = {name: 3600 * busy * price * units for name, (price, units) in HOSTED.items()}
    return (
        f"A search of {seconds:.2f} s, {pace(rounds[0]):.1f} times a second, keeps an instance busy for "
        f"{percent(busy)} of the time. At the assumed prices, an hour of a game costs "
        f"${costs['Cloud Run']:.3f} on Cloud Run with one core and one GiB, and ${costs['Lambda']:.3f} on "
        "Lambda with 1.73 GB."
    )


def million_table(rounds: Sequence[Round], price: float, simulated: tuple[str, str, float]) -> str:
    """Return what a million games cost.

    `simulated` is a simulation, of which the last row has the utilization: its name, its depth, and its core
    hours for each second of a game.
    """
    head = ("games a core", "depth, duel / four", "searchers' core hours", "gateways' core hours", "cost")
    hours = 1e6 * GAME_MINUTES / 60
    rows = []
    for each in rounds:
        searcher, gateway = (cores * hours for cores in cores_for_a_game(each))
        cells = (figure(searcher), figure(gateway), f"${figure((searcher + gateway) * price)}")
        rows.append((*_load(each), *cells))
    name, depth, core_hours = simulated
    searcher, gateway = core_hours * hours * 3600, cores_for_a_game(rounds[0])[1] * hours
    cells = (figure(searcher), figure(gateway), f"${figure((searcher + gateway) * price)}")
    return table(head, [*rows, (name, depth, *cells)])
