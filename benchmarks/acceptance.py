"""An acceptance run: many whole games of the official engine, and a table of all faults.

    python -m benchmarks.acceptance --games 20
    python -m benchmarks.acceptance --games 20 --snakes 4

The exit code is 1 if any response was late or invalid, or if a snake died needlessly.
"""

import sys
import tempfile
from collections.abc import Iterator
from itertools import chain, cycle, islice, product
from pathlib import Path

import click
import numpy as np

from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.contract.rulesets import RULESETS
from benchmarks.output import markdown
from tests.support.games import GameReport, GameSetup, run_game
from tests.support.official_engine import build_official_engine
from tests.support.services import compile_default, moves_by_source, running_gateway, samples
from tests.support.stalls import StallWatch

GOAL = 0.002
"""The most seconds of the gateway's overhead in half of all moves."""

COLUMNS = ("ruleset", "snakes", "turns", "late", "warnings", "needless deaths", "p50 ms", "p99 ms")


@click.command(context_settings=CONTEXT)
@click.option("--games", type=click.IntRange(1), default=20)
@click.option(
    "--snakes",
    "copies",
    type=click.IntRange(1, 8),
    multiple=True,
    default=(2, 4),
    help="Copies of the snake on a board, by turns. Repeat for further numbers.",
)
@click.option("--timeout", type=click.IntRange(50), default=500, help="Milliseconds for a response.")
@click.option(
    "--shrink-every", type=click.IntRange(1), default=10, help="Turns between two new rows of hazards."
)
def main(games: int, copies: tuple[int, ...], timeout: int, shrink_every: int) -> None:
    """Play games in a row, with several copies of the snake, in all rulesets.

    Hazards close in on every board, so every game ends.
    """
    setups = [
        (GameSetup(ruleset, "royale", timeout=timeout, seed=seed, shrink_every=shrink_every), snakes)
        for seed, (ruleset, snakes) in enumerate(islice(cycle(product(RULESETS, copies)), games), 1)
    ]
    engine, stalls = build_official_engine(), StallWatch()
    compile_default()
    with tempfile.TemporaryDirectory() as folder, running_gateway(Path(folder) / "log.jsonl") as url:
        reports = [_play(engine, url, setup, snakes, stalls) for setup, snakes in setups]
        games_and_reports = zip(setups, reports, strict=True)
        rows = [_row(setup.ruleset, str(snakes), [report]) for (setup, snakes), report in games_and_reports]
        click.echo(markdown(COLUMNS, [*rows, _row("all", "", reports)]))
        click.echo("\n".join(_gateway_figures(url)))
    complaints = [line for report in reports for line in (*report.warnings, *report.needless_deaths)]
    for complaint in complaints:
        click.echo(complaint, err=True)
    sys.exit(bool(complaints or any(report.late for report in reports)))


def _play(engine: Path, url: str, setup: GameSetup, snakes: int, stalls: StallWatch) -> GameReport:
    stalls.longest()
    report = run_game(engine, [url] * snakes, setup)
    stall = f"The machine stalled for up to {stalls.longest() * 1000:.0f} ms; {report.late} late."
    click.echo(f"{setup.ruleset}, {snakes} snakes: {report.turns} turns. {report.ending} {stall}", err=True)
    return report


def _row(ruleset: str, snakes: str, reports: list[GameReport]) -> list[str]:
    latencies = list(chain.from_iterable(report.latencies for report in reports))
    counts = (
        sum(report.turns for report in reports),
        sum(report.late for report in reports),
        sum(len(report.warnings) for report in reports),
        sum(len(report.needless_deaths) for report in reports),
        *np.percentile(latencies, (50, 99)).round().astype(int),
    )
    return [ruleset, snakes, *map(str, counts)]


def _gateway_figures(url: str) -> Iterator[str]:
    """Yield the sources of the moves and the overhead of the gateway, both since its start."""
    yield "moves: " + ", ".join(f"{moves} by {source}" for source, moves in moves_by_source(url).items())
    buckets = samples(url, "gateway_overhead_seconds_bucket")
    if buckets[-1].value > 0:
        within = next(bucket.value for bucket in buckets if float(bucket.labels["le"]) == GOAL)
        share = within / buckets[-1].value
        yield f"gateway overhead: {share:.1%} of the searched moves within {GOAL * 1000:.0f} ms"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.acceptance")
