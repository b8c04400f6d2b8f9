"""The progress of a match: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from arena.matches.standing import Standing
from arena.matches.summary import one_line

_LINE_SECONDS = 10.0
"""Seconds between two lines."""


def duration_text(seconds: float) -> str:
    """Return a duration in its two largest units: 20 s, 3 min 20 s or 2 h 5 min."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


class _TimeLeftColumn(ProgressColumn):
    """The time that the task still takes."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """Return the time left; nothing while it is unknown."""
        left = task.time_remaining
        return Text("" if left is None else f"{duration_text(left)} left")


class BarOrLines:
    """The progress of a task of so many steps: a bar on a terminal, a line now and then elsewhere."""

    def __init__(self, steps: int, console: Console | None, *columns: ProgressColumn, **fields: Any) -> None:
        self._steps = steps
        self._console = console or Console(stderr=True)
        self._bar = Progress(*columns, console=self._console)
        self._task = self._bar.add_task("", total=steps, **fields)
        self._started = self._printed = time.monotonic()

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_interactive:
            self._bar.stop()

    def _show(self, ended: int, text: str, **fields: Any) -> None:
        """Show that so many steps have ended: the fields on the bar, or the text as a line if one is due."""
        self._bar.update(self._task, completed=ended, **fields)
        now = time.monotonic()
        if not self._console.is_interactive and (
            now - self._printed >= _LINE_SECONDS or ended == self._steps
        ):
            self._printed = now
            self._console.print(text, markup=False, highlight=False, soft_wrap=True)


class MatchProgress(BarOrLines):
    """Shows the progress of a match, by default on standard error."""

    def __init__(self, blocks: int, console: Console | None = None) -> None:
        columns = (
            TextColumn("blocks"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            _TimeLeftColumn(),
            TextColumn("{task.fields[line]}", markup=False),
        )
        super().__init__(blocks, console, *columns, rate="", line="")
        self._ended_before: int | None = None

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Show the standing, as arena.matches.match.MatchObserver requires."""
        if self._ended_before is None:
            self._ended_before = ended
        rate = (ended - self._ended_before) * 60 / max(time.monotonic() - self._started, 1e-9)
        line, shown = one_line(standing), f"{rate:.1f} a minute"
        to_play = self._steps - ended
        left = f", {duration_text(to_play * 60 / rate)} left" if rate and to_play else ""
        text = f"{ended}/{self._steps} blocks, {shown}{left}: {line}"
        self._show(ended, text, rate=shown, line=line)
