"""The progress of a match: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from arena.matches.standing import Standing
from arena.matches.summary import one_line

_LINE_SECONDS = 10.0
"""Seconds between two lines."""


class MatchProgress:
    """Shows the progress of a match, by default on standard error."""

    def __init__(self, blocks: int, console: Console | None = None) -> None:
        self._blocks = blocks
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            TextColumn("blocks"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[line]}", markup=False),
            console=self._console,
        )
        self._task = self._bar.add_task("", total=blocks, rate="", line="")
        self._started = self._printed = time.monotonic()
        self._ended_before: int | None = None

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_interactive:
            self._bar.stop()

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Show the standing, as arena.matches.match.MatchObserver requires."""
        if self._ended_before is None:
            self._ended_before = ended
        now = time.monotonic()
        rate = (ended - self._ended_before) * 60 / max(now - self._started, 1e-9)
        line, shown = one_line(standing), f"{rate:.1f} a minute"
        self._bar.update(self._task, completed=ended, rate=shown, line=line)
        if not self._console.is_interactive and (
            now - self._printed >= _LINE_SECONDS or ended == self._blocks
        ):
            self._printed = now
            left = f", {(self._blocks - ended) / rate:.0f} minutes left" if rate else ""
            self._print(f"{ended}/{self._blocks} blocks, {shown}{left}: {line}")

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)
