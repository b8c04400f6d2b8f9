"""The page of a tuning: one HTML file, written again after each trial."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.ticker import MaxNLocator

from arena.report import drawing
from arena.report.drawing import MUTED, Chart, LegendEntry, environment, side_colour, style
from arena.report.findings import Table
from arena.report.wording import side_colour_name
from arena.tuning import Trial, TuningObserver

REFRESH = 10
"""Seconds after which a browser loads the page of a running tuning again."""

_ROWS = 20
"""The most trials in the table."""


class TuningPage:
    """Passes the trials of a tuning on, and writes them to a page."""

    def __init__(self, file: Path, title: str, trials: int, finals: int, observer: TuningObserver) -> None:
        self._file = file
        self._title = title
        self._wanted = trials, finals
        self._observer = observer

    def trial_ended(self, trials: Sequence[Trial], finals: Sequence[Trial]) -> None:
        """Write the page. A browser loads it again until all finals have ended."""
        self._observer.trial_ended(trials, finals)
        text = _page(self._title, self._wanted, trials, finals)
        # A browser must not see half a page.
        (new := self._file.with_name(f".{self._file.name}.new")).write_text(text, encoding="utf-8")
        new.replace(self._file)


def _page(title: str, wanted: tuple[int, int], trials: Sequence[Trial], finals: Sequence[Trial]) -> str:
    is_over = len(trials) >= wanted[0] and len(finals) >= wanted[1]
    counts = f"{len(trials)} of {wanted[0]} trials and {len(finals)} of {wanted[1]} finals have ended."
    return (
        environment()
        .get_template("fit.html.jinja")
        .render(
            kicker="tuning of an evaluator",
            title=title,
            conclusion=f"{counts} {_best(trials, finals)}".rstrip(),
            charts=[_progress_chart(trials)] if trials else [],
            tables=[_table("Finals", finals), _table("Best trials", trials)],
            refresh=0 if is_over else REFRESH,
            style=style(),
        )
    )


def _best(trials: Sequence[Trial], finals: Sequence[Trial]) -> str:
    if not trials:
        return ""
    best = max(finals or trials, key=lambda trial: trial.mean)
    kind = "final" if finals else "trial"
    return f"The best {kind} won {best.mean:.3f} of the points. The defaults won {trials[0].mean:.3f}."


def _progress_chart(trials: Sequence[Trial]) -> Chart:
    numbers, means = range(1, len(trials) + 1), [trial.mean for trial in trials]
    best = [max(means[:number]) for number in numbers]
    with drawing.axes() as axes:
        axes.plot(numbers, means, "o", color=MUTED, markersize=4)
        axes.step(numbers, best, where="post", color=side_colour(0))
        axes.set(xlabel="trial", ylabel="share of the points")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        description = f"The share of the points in each trial. The best of {len(trials)} is {best[-1]:.3f}."
        keys = (LegendEntry("each trial", "var(--muted)", ":"), LegendEntry("the best", side_colour_name(0)))
        return drawing.chart_of(axes, "progress", "Trials", description, keys)


def _table(heading: str, trials: Sequence[Trial]) -> Table:
    best = sorted(trials, key=lambda trial: trial.mean, reverse=True)[:_ROWS]
    names = tuple(best[0].weights) if best else ()
    return Table(
        heading=heading,
        columns=("points", "pairs", *names),
        rows=[
            (f"{trial.mean:.3f}", str(len(trial.points)), *(f"{trial.weights[name]:g}" for name in names))
            for trial in best
        ],
    )
