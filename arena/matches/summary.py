"""The summary of a standing for a terminal, and the progress of a match."""

import time
from collections.abc import Iterator
from typing import Self

from rich import box
from rich.console import Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from arena.matches.schedule import games_in_block
from arena.matches.standing import Standing, is_duel
from arena.matches.workers import Running
from arena.records import FAULTS, Setup
from arena.statistics.elo import PAIRS, logistic_elo, normalized_elo, superiority
from arena.statistics.ranking import entrant_results, mean_points, ratings
from arena.statistics.terms import comparison_terms, glossary, p_value_text
from battlesnake_search.common.cli import counted
from battlesnake_search.common.console import Console

_LONGEST_WHOLE_NAME = 17
"""The characters of a name that stay on one line: 80 columns have room for them beside any faults."""


def one_line(standing: Standing) -> str:
    """Return the first entrant's statistics in one line, for a progress bar."""
    tally, test = standing.tally, standing.setup.test
    parts = [_gauntlet_points(standing) if standing.setup.contenders == 1 else f"Elo {logistic_elo(tally)}"]
    if test is not None:
        ratio = test.log_likelihood_ratio(tally)
        parts.append(f"LLR {ratio:z.2f} ({test.lower:.2f}, {test.upper:.2f})")
    if faults := sum(standing.faults.values()):
        parts.append(counted(faults, "fault"))
    return ", ".join(parts)


def _gauntlet_points(standing: Standing) -> str:
    known = mean_points(standing.values)
    return f"{known.value:.1%} of the points ({known.low:.1%} to {known.high:.1%})"


def summary(standing: Standing) -> RenderableType:
    """Return the summary that is printed when a match ends."""
    lines = [*_comparison(standing), *_voids(standing), _time(standing)]
    return Group(_entrants(standing), *(Text(line) for line in lines))


def explanation(standing: Standing) -> RenderableType:
    """Return the meaning of the terms in the summary."""
    setup = standing.setup
    terms = comparison_terms(is_duel(setup), setup.test is not None)
    return Text(glossary(["p-value", "rating", "ms", *terms]), "dim")


def _entrants(standing: Standing) -> Table:
    setup = standing.setup
    compared = standing.games_points or standing.points
    rated = ratings(setup.contenders, (dict(enumerate(shares)) for shares in compared))
    names = [entrant.name for entrant in setup.entrants]
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False)
    # Only long names take more than one line.
    table.add_column("entrant", no_wrap=max(map(len, names)) <= _LONGEST_WHOLE_NAME, overflow="fold")
    for number in ("points", "95 % interval", "p-value", "rating", "ms"):
        table.add_column(number, no_wrap=True)
    table.add_column("faults", overflow="fold")
    for index, (row, rating) in enumerate(
        zip(entrant_results(setup.contenders, standing.points), rated, strict=True)
    ):
        table.add_row(
            Text(names[index]),
            f"{row.points.value:.3f}",
            f"{row.points.low:.3f} to {row.points.high:.3f}",
            p_value_text(row.p_value),
            str(rating),
            mean_time(standing, index),
            _faults_text(standing, index),
        )
    for index in range(setup.contenders, len(names)):
        cells = mean_time(standing, index), _faults_text(standing, index)
        table.add_row(Text(names[index]), "company", "", "", "", *cells)
    return table


def mean_time(standing: Standing, index: int) -> str:
    """Return the mean milliseconds of an entrant's moves, as text."""
    return f"{standing.thinking[index] / max(1, standing.decisions[index]):.1f}"


def _faults_text(standing: Standing, index: int) -> str:
    counts = {fault: standing.faults[index, fault] for fault in FAULTS}
    return ", ".join(f"{count} {fault}" for fault, count in counts.items() if count) or "0"


def _comparison(standing: Standing) -> Iterator[str]:
    setup, tally, results = standing.setup, standing.tally, standing.results
    names = [entrant.name for entrant in setup.entrants]
    first, *others = names[: setup.contenders]
    opponents = others[0] if len(others) == 1 else "the others"
    unit = "pair" if games_in_block(setup) == 2 else "block"
    games, blocks = counted(standing.games, "game"), counted(tally.blocks, unit)
    yield f"{first} against {opponents}, {games} in {blocks}"
    if company := names[setup.contenders :]:
        yield f"in the company of {', '.join(company)}"
    if len(others) == 1 and setup.snakes > 1:
        yield f"won {results['win']}, drawn {results['draw']}, lost {results['loss']}"
    if is_duel(standing.setup):
        yield "pairs: " + ", ".join(
            f"{count} {name}" for name, count in zip(PAIRS, tally.counts, strict=True)
        )
    yield f"Elo {logistic_elo(tally)}, normalized Elo {normalized_elo(tally)}, LOS {superiority(tally):.2%}"
    if (test := setup.test) is not None:
        ratio, hypotheses = test.log_likelihood_ratio(tally), f"{test.elo0:g} against {test.elo1:g}"
        bounds = f"({test.lower:.2f}, {test.upper:.2f})"
        yield f"SPRT of {test.model} Elo {hypotheses}: LLR {ratio:z.2f} {bounds}, {test.decision(tally)}"


def _voids(standing: Standing) -> Iterator[str]:
    for reason, count in standing.void.items():
        yield f"{counted(count, 'void game')}: {reason}"


def _time(standing: Standing) -> str:
    share = standing.share_thinking
    elsewhere = "; players elsewhere decide at the same time" if share > 1 else ""
    return f"{share:.1%} of the workers' time went into decisions{elsewhere}"


LINE_SECONDS = 10.0
"""Seconds between two lines."""


def duration_text(seconds: float) -> str:
    """Return a duration in its two largest units: 20 s, 3 min 20 s or 2 h 5 min."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class StepProgress:
    """The progress of a command in steps: a bar on a terminal, otherwise occasional lines.

    A step is a game, or a trial of a tuning.
    """

    def __init__(self, unit: str, steps: int, console: Console | None = None) -> None:
        self._unit, self._steps = unit, steps
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            TextColumn(f"{unit}s"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=steps, text="")
        self._started = self._printed = time.monotonic()
        self._ended, self._shown, self._text = 0, 0, ""

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_interactive:
            self._bar.stop()

    def steps_ended(self, ended: int, text: str) -> None:
        """Show the steps that have ended, with a text about them."""
        self._ended, self._text = ended, text
        # Games of jobs in progress may have been shown before.
        self._show(max(ended, self._shown), text)

    def games_running(self, running: Running) -> None:
        """Show the games of jobs in progress, as arena.matches.workers.LocalWorkers requires."""
        turns = [str(turn) for _, turn in sorted(running.values(), reverse=True) if turn]
        at_turns = f"at turn {' and '.join(turns)}, " * bool(turns)
        played = sum(games for games, _ in running.values())
        self._show(self._ended + played, f"{at_turns}{self._text}".removesuffix(", "))

    def _left(self, done: int) -> str:
        """Return the time that the other steps take, if they are as long as the `done` ones, as text."""
        seconds = (self._steps - self._ended) * (time.monotonic() - self._started) / max(done, 1)
        return f"{duration_text(seconds)} left" if done and seconds else ""

    def _show(self, shown: int, text: str) -> None:
        self._shown = shown
        self._bar.update(self._task, completed=shown, text=text)
        now = time.monotonic()
        if not self._console.is_interactive and (
            now - self._printed >= LINE_SECONDS or self._ended == self._steps
        ):
            self._print(f"{shown:,} of {counted(self._steps, self._unit)}, {text}".removesuffix(", "))

    def _print(self, line: str) -> None:
        self._printed = time.monotonic()
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class MatchProgress(StepProgress):
    """Shows the progress of a match, by default on standard error."""

    def __init__(self, setup: Setup, console: Console | None = None) -> None:
        self._in_block = games_in_block(setup)
        super().__init__("game", setup.blocks * self._in_block, console)
        self._ended_before: int | None = None

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Show the standing, as arena.matches.match.MatchObserver requires."""
        self._ended = ended * self._in_block
        if self._ended_before is None:
            self._ended_before = self._ended
        played = self._ended - self._ended_before
        rate = played * 60 / max(time.monotonic() - self._started, 1e-9)
        pace = f"{rate:.1f} a minute"
        if left := self._left(played):
            # A test may decide, and so end the match, after any block.
            pace += f", at most {left}" if standing.setup.test else f", {left}"
        self.steps_ended(self._ended, f"{pace}: {one_line(standing)}")
