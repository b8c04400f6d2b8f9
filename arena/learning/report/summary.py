"""The summary of a fit, for a terminal."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from arena.learning.fits.fitting import Fit
from arena.learning.fits.validation import CalibrationBin
from arena.learning.report.wording import FITTED, FORMER, NATS, TERMS, conclusion, number, weight_interval
from arena.statistics.terms import term_lines


def summary(fit: Fit) -> Iterator[RenderableType]:
    """Yield the parts of the summary."""
    yield _weights(fit)
    if len(fit.strengths) > 1:
        yield _players(fit)
    yield Text(
        f"{fit.positions:,} positions of {fit.games:,} games; a value of 1 is {fit.scale:.2f} in log-odds"
    )
    yield Text(conclusion(fit.validation, FITTED, FORMER))
    yield calibration_table(fit.calibration)
    yield Text(f"\nTerms:\n{term_lines(TERMS, TERMS)}", "dim")


def _weights(fit: Fit) -> Table:
    table = Table("weight", box=box.SIMPLE_HEAD)
    for heading in ("former", "fitted", "interval", "worth"):
        table.add_column(heading, justify="right")
    for weight in fit.weights:
        table.add_row(
            weight.declared.name,
            number(weight.former),
            number(weight.value),
            weight_interval(weight),
            f"{NATS * weight.worth:.2f}",
        )
    return table


def _players(fit: Fit) -> Table:
    table = Table("player", box=box.SIMPLE_HEAD)
    table.add_column("strength in log-odds", justify="right")
    for player, strength in sorted(fit.strengths.items(), key=lambda pair: -pair[1]):
        table.add_row(player, f"{strength:+.2f}")
    return table


def calibration_table(bins: Sequence[CalibrationBin]) -> Table:
    """Return a table of about ten of the bins."""
    table = Table(box=box.SIMPLE_HEAD)
    for heading in ("forecast", "outcome", "snakes"):
        table.add_column(heading, justify="right")
    for part in bins[:: max(1, len(bins) // 10)]:
        table.add_row(f"{part.forecast:.1%}", f"{part.outcome:.1%}", f"{part.samples:,}")
    return table
