"""The progress of a tuning on standard error: bars on a terminal, a line for each trial elsewhere."""

from collections.abc import Mapping, Sequence
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from arena.matches.progress import duration_text
from arena.tuning.tuning import Trial


class _TimeSpentColumn(ProgressColumn):
    """The time that the task has taken."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """Return the time since the task started."""
        return Text(f"{duration_text(task.elapsed or 0)} so far")


class TuningProgress:
    """Shows the progress of a tuning."""

    def __init__(self, trials: int, finals: int) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            _TimeSpentColumn(),
            TextColumn("{task.fields[line]}", markup=False),
            console=self._console,
        )
        self._trials = self._bars.add_task("trials", total=trials, line="")
        self._finals = self._bars.add_task("finals", total=finals, line="")
        self._pairs = self._bars.add_task("pairs", total=None, line="")

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def pair_ended(self, ended: int, pairs: int) -> None:
        """Show the pairs of the current trial."""
        self._bars.update(self._pairs, completed=ended, total=pairs)

    def trial_ended(self, trials: Sequence[Trial], finals: Sequence[Trial]) -> None:
        """Show the best trial, and the last one where there are no bars."""
        for task, ended in ((self._trials, trials), (self._finals, finals)):
            if ended:
                best = max(ended, key=lambda trial: trial.mean)
                self._bars.update(task, completed=len(ended), line=f"best {_result(best)}")
        self._bars.update(self._pairs, completed=0)
        if not self._console.is_terminal and (trials or finals):
            last = (finals or trials)[-1]
            kind = f"final {len(finals)}" if finals else f"trial {len(trials)}"
            self._console.print(f"{kind}: {_result(last)}", markup=False, soft_wrap=True)


def _result(trial: Trial) -> str:
    return f"{trial.mean:.3f} of the points in {len(trial.points)} pairs, {weights_text(trial.weights)}"


def weights_text(weights: Mapping[str, float]) -> str:
    """Return weights in one line."""
    return ", ".join(f"{name} {value:g}" for name, value in weights.items())
