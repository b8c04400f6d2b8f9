"""The progress of a match, with its standing in one line."""

import time
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from arena.matches.schedule import games_in_block
from arena.matches.standing import Standing
from arena.records import Setup
from arena.statistics.elo import elo_difference
from arena.statistics.ranking import mean_points
from battlesnake_search.common.cli import counted
from battlesnake_search.common.console import Console


def one_line(standing: Standing) -> str:
    """Return the first entrant's statistics in one line, for a progress bar."""
    tally, test = standing.tally, standing.setup.test
    parts = [_gauntlet_points(standing) if standing.setup.contenders == 1 else f"Elo {elo_difference(tally)}"]
    if test is not None:
        ratio = test.log_likelihood_ratio(tally)
        parts.append(f"LLR {ratio:z.2f} ({test.lower:.2f}, {test.upper:.2f})")
    if faults := sum(standing.faults.values()):
        parts.append(counted(faults, "fault"))
    return ", ".join(parts)


def _gauntlet_points(standing: Standing) -> str:
    known = mean_points(standing.values)
    return f"{known.value:.1%} of the points ({known.low:.1%} to {known.high:.1%})"


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

    A step is a game, or a trial of a tuning. The steps that the first call reports are those of an earlier
    run, and tell nothing about the pace. `may_stop`: the command may end before its last step.
    """

    def __init__(self, unit: str, steps: int, may_stop: bool = False) -> None:
        self._unit, self._steps = unit, steps
        self._limit = "at most " * may_stop
        self._console = Console(stderr=True)
        self._bar = Progress(
            TextColumn(f"{unit}s"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[text]}", markup=False),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=steps, text="")
        self._started = self._printed = time.monotonic()
        self._before: int | None = None

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_interactive:
            self._bar.stop()

    def steps_ended(self, ended: int, text: str) -> None:
        """Show the steps that have ended, with their pace and a text about them."""
        is_first = self._before is None
        self._before = ended if self._before is None else self._before
        shown = ": ".join(filter(None, (self._pace(ended - self._before, self._steps - ended), text)))
        self._bar.update(self._task, completed=ended, text=shown)
        is_due = time.monotonic() - self._printed >= LINE_SECONDS or ended == self._steps
        if (is_due or is_first) and not self._console.is_interactive:
            # The next steps may take minutes.
            self._print(f"{ended:,} of {counted(self._steps, self._unit)}{f', {shown}' if is_due else ''}")

    def _pace(self, done: int, missing: int) -> str:
        """Return the pace of the steps of this run, and the time that the missing steps take."""
        spent = max(time.monotonic() - self._started, 1e-9)
        left = missing * spent / max(done, 1)
        pace = f"{done * 60 / spent:.1f} a minute"
        return f"{pace}, {self._limit}{duration_text(left)} left" if done and left else pace

    def _print(self, line: str) -> None:
        self._printed = time.monotonic()
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class MatchProgress(StepProgress):
    """Shows the progress of a match on standard error."""

    def __init__(self, setup: Setup) -> None:
        self._in_block = games_in_block(setup)
        # A test may decide, and so end the match, after any block.
        super().__init__("game", setup.blocks * self._in_block, may_stop=setup.test is not None)

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Show the standing after a block."""
        self.steps_ended(ended * self._in_block, one_line(standing))
