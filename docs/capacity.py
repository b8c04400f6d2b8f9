"""The tables and the picture of docs/capacity.md: python -m docs.capacity [--write].

The measurements come from docs/load.json, which `python -m benchmarks.load --json docs/load.json` writes.
This module calculates everything else from them. Prices are assumptions: use your own.
"""

import json
import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean, quantiles
from typing import Any

import click

from commandline.options import CONTEXT
from docs.autoscaler import TOURNAMENT_START, Cluster, Setup, depth_of

HERE = Path(__file__).parent
PAGE, LOAD, PICTURE = HERE / "capacity.md", HERE / "load.json", HERE / "images" / "autoscaler.svg"

GAMES = (1, 1_000, 1_000_000)
"""Games at once, the columns of the cost table."""

GAME_HOURS = 3 / 60
"""The length of a game: three minutes."""

MEASURED = {
    "games on the core": ("games a core", 0),
    "moves a second": ("moves/s", 1),
    "depth, duel": ("depth duel", 1),
    "depth, four snakes": ("depth four", 1),
    "late": ("late", 0),
    "reflex": ("reflex", 0),
    "p50 ms": ("p50 ms", 0),
    "p99 ms": ("p99 ms", 0),
    "gateway ms a move": ("gateway ms a move", 1),
    "searcher's cores": ("searcher cores", 2),
    "others' cores": ("others' cores", 2),
}
"""The figure of the load run and its digits after the point, by heading of the page."""

SETUPS = (
    Setup("as in infra/kubernetes"),
    Setup("connections never end", age=math.inf),
    Setup("a new machine for every pod", start=90),
    Setup("a target of 50 %", target=0.5),
    Setup("no autoscaler, 2 pods", most=2),
    Setup("no autoscaler, 20 pods", least=20),
)

Figures = Sequence[dict[str, Any]]


@click.command(context_settings=CONTEXT)
@click.option("--price", default=0.04, help="Price of a core with its memory for an hour.")
@click.option("--write", is_flag=True, help="Write the tables into the page instead of showing them.")
def main(price: float, write: bool) -> None:
    """Compute the tables of the page and show them."""
    run = json.loads(LOAD.read_text())
    measured = run["rounds"]
    clusters = [_simulated(setup) for setup in SETUPS]
    tables = {
        "measured": f"{load_table(measured)}\n\n{run['machine']}.",
        "cost": cost_table(measured, price),
        "simulated": simulation_table(clusters, measured, price),
    }
    if not write:
        click.echo("\n\n".join(tables.values()))
        return
    from docs.draw_autoscaler import draw

    PAGE.write_text(filled(PAGE.read_text(), tables))
    draw(clusters[:2], measured, PICTURE)


def filled(page: str, tables: dict[str, str]) -> str:
    """Return the page with these tables between their marks."""
    for name, table in tables.items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        # A backslash in the table must not be read as a group reference.
        page, count = re.subn(pattern, rf"\1{table.replace(chr(92), 2 * chr(92))}\n\2", page, flags=re.S)
        if count != 1:
            raise ValueError(f"the page has {count} places for the table {name} instead of one")
    return page


def load_table(measured: Figures) -> str:
    """Return the table of the load run."""
    rows = ([f"{each[name]:.{digits}f}" for name, digits in MEASURED.values()] for each in measured)
    return _table(MEASURED, rows)


def cost_table(measured: Figures, price: float) -> str:
    """Return the table of cores and cost an hour for GAMES at once, by games on a searcher's core."""
    head = (
        "games a core",
        "depth, duel / four",
        *(f"{games:,} at once" for games in GAMES),
        "one game of 3 minutes",
    )
    rows = []
    for each in measured:
        searcher, gateway = cores_for_a_game(each)
        cells = [f"{each['games a core']:.0f}", f"{each['depth duel']:.1f} / {each['depth four']:.1f}"]
        cells += [
            f"{_figure(games * searcher)} + {_figure(games * gateway)} cores,"
            f" ${_figure(games * (searcher + gateway) * price)}"
            for games in GAMES
        ]
        rows.append((*cells, f"${_figure((searcher + gateway) * price * GAME_HOURS)}"))
    return _table(head, rows)


def cores_for_a_game(measured: dict[str, float]) -> tuple[float, float]:
    """Return the searcher's and the gateway's cores for one game at this load of the searcher."""
    pace = measured["moves/s"] / measured["games a core"]
    return 1 / measured["games a core"], pace * measured["gateway ms a move"] / 1000


def simulation_table(clusters: Iterable[Cluster], measured: Figures, price: float) -> str:
    """Return the table of the clusters in the tournament."""
    head = (
        "cluster",
        "depth in the first minute",
        "overall depth",
        "worst tenth",
        "most pods",
        "most pods searching",
        "core hours",
        "cost",
    )
    return _table(head, (_row(cluster, measured, price) for cluster in clusters))


def _row(cluster: Cluster, measured: Figures, price: float) -> tuple[str, ...]:
    depths = [(move.at, depth_of(move.share, measured, "duel")) for move in cluster.moves]
    first = [depth for at, depth in depths if TOURNAMENT_START <= at < TOURNAMENT_START + 60]
    hours = cluster.core_seconds / 3600
    return (
        cluster.setup.name,
        f"{fmean(first):.1f}",
        f"{fmean(depth for _, depth in depths):.1f}",
        f"{quantiles((depth for _, depth in depths), n=10)[0]:.1f}",
        str(max(state.ready for state in cluster.states)),
        str(max(state.working for state in cluster.states)),
        f"{hours:.1f}",
        f"${hours * price:.2f}",
    )


def _simulated(setup: Setup) -> Cluster:
    cluster = Cluster(setup)
    cluster.run()
    return cluster


def _figure(value: float) -> str:
    """Format a value with two significant digits, or with all digits before the point."""
    digits = max(0, 1 - math.floor(math.log10(value)))
    return f"{value:,.{digits}f}"


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


if __name__ == "__main__":
    main(prog_name="python -m docs.capacity")
