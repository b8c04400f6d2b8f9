"""Many official games at once for a long time, and the resources of each process: python -m benchmarks.soak.

A gateway with its searcher plays all snakes of the games and records them, and a watcher follows one game
after another. The exit status is 1 unless memory, open files, threads and tasks are flat and all outcomes are
recorded.
"""

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, count
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from urllib.error import URLError

import click
import numpy as np
import numpy.typing as npt

from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.common.estimation import CONFIDENCE, Estimate
from battlesnake_search.contract.rulesets import RULESETS
from benchmarks.output import markdown, recorded_outcomes
from tests.support.admin import TOKEN
from tests.support.child_process import killed
from tests.support.games import GameFailedError, GameReport, GameSetup, run_game
from tests.support.official_engine import build_official_engine
from tests.support.processes import family, module, usage
from tests.support.services import ROOT, compile_default, free_port, gateway_process, samples

INTERVAL = 5.0
"""Seconds between two samples."""

ANNOUNCED = 60
"""The number of samples from one line on the terminal to the next."""

SPARE_THREADS = 4
"""The number of threads for samples, in addition to one thread for each game."""

GAMES, SNAKES = 16, 2
"""Games at once, and the snakes of each."""

KEPT = 3
"""The number of recorded games that the gateway keeps, for each game in play. They fill its memory early in
the warm-up. From then on each new game displaces the oldest one."""

Samples = dict[tuple[str, str], list[float]]
"""Samples by process and measure."""


WARM_UP = 1 / 3
"""The share of the time, at its start, in which a process fills its caches. Slopes exclude it."""

MOST_PER_GAME: Mapping[str, float] = MappingProxyType(
    {"MB": 0.01, "files": 0.05, "threads": 0.05, "tasks": 0.05}
)
"""The most growth for each game played, by measure. A leak causes more: the record of a game has 40 kB, and a
leak of connections, threads or tasks adds at least one every few games."""

_BLOCKS = 20
"""The number of stretches whose medians give the slope, because neighbouring samples resemble one another."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The samples of a measure of a process. `slope` and `most` are per hour."""

    process: str
    measure: str
    values: Sequence[float]
    slope: Estimate
    most: float

    @property
    def result(self) -> str:
        """Whether the measure certainly grows, certainly does not grow, or may do either."""
        if self.slope.high <= self.most:
            return "flat"
        return "growing" if self.slope.low > self.most else "unclear"

    def row(self) -> list[str]:
        """Return the cells of the table."""
        first, last = self.values[0], self.values[-1]
        figures = (first, *np.quantile(self.values, (0.25, 0.5, 0.75)), last)
        digits = 1 if self.measure == "MB" else 0
        interval = f"{self.slope.low:+z.1f} to {self.slope.high:+z.1f}"
        cells = (*(f"{figure:.{digits}f}" for figure in figures), f"{self.slope.value:+z.1f}", interval)
        return [self.process, self.measure, *cells, f"{self.most:.1f}", self.result]


COLUMNS = (
    *("process", "measure", "first", "quartile", "median", "quartile", "last"),
    *("slope an hour", "95 % interval", "at most", "result"),
)


def trend(
    process: str, measure: str, times: Sequence[float], values: Sequence[float], games_per_hour: float
) -> Trend:
    """Return the trend of samples; `times` are seconds since the start, in order."""
    most = MOST_PER_GAME[measure] * games_per_hour
    return Trend(process, measure, values, _slope(np.array(times) / 3600, np.array(values)), most)


def _slope(hours: "npt.NDArray[np.float64]", values: "npt.NDArray[np.float64]") -> Estimate:
    """Return the slope after the warm-up: the Theil-Sen estimator, which ignores single outliers."""
    # Only the report waits for this slow import.
    from scipy.stats import theilslopes

    counts = hours >= hours[0] + WARM_UP * (hours[-1] - hours[0])
    blocks = np.array_split(np.arange(counts.sum()), min(_BLOCKS, counts.sum()))
    x, y = hours[counts], values[counts]
    found = theilslopes(
        [np.median(y[block]) for block in blocks], [np.mean(x[block]) for block in blocks], CONFIDENCE
    )
    return Estimate(float(found.slope), float(found.low_slope), float(found.high_slope))


@dataclass
class Soak:
    """The results of a run: samples with their times in seconds since its start, and its games."""

    times: list[float] = field(default_factory=list)
    samples: Samples = field(default_factory=lambda: defaultdict(list))
    begun: int = 0
    reports: list[GameReport] = field(default_factory=list)
    followed: int = 0
    """Games that the watcher saw to their end."""
    outcomes: int = 0
    """Outcomes in the database."""

    def trends(self) -> list[Trend]:
        """Return the trend of each measure of each process."""
        pace = len(self.reports) / self.times[-1] * 3600
        return [trend(*name, self.times, values, pace) for name, values in self.samples.items()]

    @property
    def lost(self) -> int:
        """Outcomes that are not in the database."""
        return SNAKES * len(self.reports) - self.outcomes

    def summary(self) -> str:
        """Return a summary of the games."""
        latencies = list(chain.from_iterable(report.latencies for report in self.reports))
        late = sum(report.late for report in self.reports)
        return (
            f"{len(self.reports)} of {self.begun} games, {len(latencies)} answers, {late} late; "
            f"{self.followed} games watched; {self.outcomes} outcomes recorded, {self.lost} lost"
        )


@click.command(context_settings=CONTEXT)
@click.option("--minutes", type=click.FloatRange(0.5), default=30.0, help="Time in which new games begin.")
def main(minutes: float) -> None:
    """Play games for a long time and show whether the resources of the processes are flat."""
    engine = build_official_engine()
    compile_default()
    with tempfile.TemporaryDirectory() as folder:
        soak = asyncio.run(_soak(engine, Path(folder), minutes * 60))
    trends = soak.trends()
    click.echo(markdown(COLUMNS, (each.row() for each in trends)))
    click.echo(soak.summary())
    sys.exit(bool(soak.lost or any(each.result != "flat" for each in trends)))


async def _soak(engine: Path, folder: Path, seconds: float) -> Soak:
    admin, metrics = (f"127.0.0.1:{free_port()}" for _ in range(2))
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(GAMES + SPARE_THREADS))
    outcomes, soak, end = folder / "outcomes.sqlite", Soak(), monotonic() + seconds
    settings = {"OUTCOMES_URL": str(outcomes), "GAMES": str(KEPT * GAMES), "SEARCHER_METRICS": metrics}
    with gateway_process(folder / "log.jsonl", "--admin", admin, **settings) as gateway:
        urls = {name: f"http://{admin}" for name in ("gateway", "console")}
        urls["searcher"] = f"http://{metrics}"
        watching = asyncio.create_task(_watch(f"http://{admin}", soak))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(_sample(soak, gateway.process.pid, urls, end))
            for _ in range(GAMES):
                tasks.create_task(_play(engine, gateway.url, soak, end))
        watching.cancel()
        await asyncio.wait([watching])
    soak.outcomes = recorded_outcomes(outcomes)
    return soak


async def _play(engine: Path, url: str, soak: Soak, end: float) -> None:
    """Play one game after another until the end."""
    while monotonic() < end:
        soak.begun += 1
        try:
            report = await asyncio.to_thread(run_game, engine, [url] * SNAKES, _setup(soak.begun))
        except GameFailedError as error:
            # The engine gives up if a snake takes longer to send its colors than a move may take.
            click.echo(f"a game did not begin: {error}", err=True)
        else:
            soak.reports.append(report)


def _setup(number: int) -> GameSetup:
    rulesets = tuple(RULESETS)
    return GameSetup(rulesets[number % len(rulesets)], "royale", seed=number, shrink_every=10)


async def _watch(console: str, soak: Soak) -> None:
    """Watch one live game after another, as a user does on a terminal."""
    command = (sys.executable, "-m", "console", "watch", "--admin", console, "--token", TOKEN)
    while True:
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, stdout=asyncio.subprocess.DEVNULL)
        try:
            soak.followed += await process.wait() == 0
        finally:
            await killed(process)
        await asyncio.sleep(1.0)


async def _sample(soak: Soak, pid: int, urls: dict[str, str], end: float) -> None:
    """Take samples of the processes until the end. Raises OSError if one of them ends."""
    processes = {module(each): each for each in family(pid)}
    begin = monotonic()
    for number in count():
        await asyncio.sleep(begin + number * INTERVAL - monotonic())
        if monotonic() > end:
            return
        try:
            measured = await asyncio.to_thread(_measured, processes, urls)
        except (TimeoutError, URLError) as error:
            click.echo(f"a sample is missing: {error}", err=True)
            continue
        soak.times.append(monotonic() - begin)
        for name, value in measured.items():
            soak.samples[name].append(value)
        if number % ANNOUNCED == 0:
            click.echo(_newest(soak), err=True)


def _newest(soak: Soak) -> str:
    held = (f"{name} {values[-1]:.0f} {measure}" for (name, measure), values in soak.samples.items())
    return f"after {soak.times[-1] / 60:.0f} minutes: {', '.join(held)}"


def _measured(processes: dict[str, int], urls: dict[str, str]) -> dict[tuple[str, str], float]:
    """Return a sample of each measure of each process."""
    measured: dict[tuple[str, str], float] = {}
    for name, pid in processes.items():
        held = usage(pid)
        measured[name, "MB"] = held.megabytes
        measured[name, "files"] = held.files
        measured[name, "threads"] = held.threads
        [tasks] = samples(urls[name], f"{name}_tasks")
        measured[name, "tasks"] = tasks.value
    return measured


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.soak")
