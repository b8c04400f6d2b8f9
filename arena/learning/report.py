"""The findings of a fit, for a terminal and as a page: one HTML file without a script."""

import math
from collections.abc import Iterator, Mapping, Sequence

from matplotlib.ticker import PercentFormatter
from rich import table
from rich.console import RenderableType
from rich.text import Text

from arena.learning.evaluator_fit import Fit, FittedWeight
from arena.learning.samples import QUANTILE
from arena.learning.validation import CalibrationBin, Validation
from arena.report import drawing
from arena.report.drawing import (
    INK,
    MUTED,
    Chart,
    LegendEntry,
    environment,
    side_colour,
    style,
)
from arena.report.findings import Table
from arena.report.terminal import printed
from arena.report.wording import side_colour_name
from arena.statistics.terms import term_lines
from battlesnake_search.common.estimation import Estimate

_NATS = 1000.0
"""Losses are shown in thousandths of a nat."""

_TERMS: Mapping[str, str] = {
    "loss": "the negative logarithm of the chance that was forecast for the outcome: the mean over all "
    "snakes of all positions, in thousandths of a nat; 693 for even chances in a duel",
    "worth": "the growth of the loss if the weight is 0 instead",
    "interval": "95 %, clustered by game, because all positions of a game end alike; empty for a weight at "
    "its bound, or without an effect in this data",
    "unseen": "the games are split in five, and a fit to the other four forecasts each part",
}

_ROW = 0.24
"""The height of a weight's row in a chart."""


def fit_summary(fit: Fit) -> Iterator[RenderableType]:
    """Yield the parts of the summary of a fit."""
    yield printed(_weights(fit), but=1)
    if len(fit.strengths) > 1:
        yield printed(_players(fit))
    yield Text(
        f"{fit.positions:,} positions of {fit.games:,} games; a value of 1 is {fit.scale:.2f} in log-odds"
    )
    yield Text(_conclusion_of_fit(fit))
    yield _calibration_table(fit.calibration)
    yield Text(f"\nTerms:\n{term_lines(_TERMS, _TERMS)}", "dim")


def fit_page(fit: Fit) -> str:
    """Return the page of a fit as HTML."""
    return _page(
        kicker="fit of an evaluator",
        title=f"{fit.evaluator}, fitted to {fit.games:,} games",
        conclusion=_conclusion_of_fit(fit),
        charts=[_calibration_chart(fit.calibration), _weights_chart(fit.weights), _worth_chart(fit.weights)],
        tables=[_weights(fit), _players(fit)],
    )


def _page(**parts: object) -> str:
    return environment().get_template("fit.html.jinja").render(**parts, refresh=0, style=style())


def _conclusion_of_fit(fit: Fit) -> str:
    return conclusion(fit.validation, "the fitted weights", "the former ones")


def conclusion(validation: Validation, new: str, former: str) -> str:
    """Return a sentence that compares two forecasts of unseen games. `new` and `former` name them."""
    gain = validation.gain
    if gain.low > 0 or gain.high < 0:
        better = "better" if gain.low > 0 else "worse"
        found = f"Unseen games are forecast {better} by {new} than by {former}"
    else:
        found = f"Unseen games don't tell whether {new} or {former} forecast them better"
    losses = f"loss {_NATS * validation.loss:.2f} and {_NATS * validation.former_loss:.2f}"
    in_nats = Estimate(_NATS * gain.value, _NATS * gain.low, _NATS * gain.high)
    return f"{found}: {losses}, {in_nats} less."


def _weights(fit: Fit) -> Table:
    return Table(
        heading="Weights",
        columns=("weight", "former", "fitted", "interval", "worth", "it counts"),
        rows=[
            (
                weight.declared.name,
                _number(weight.former),
                _number(weight.value),
                _interval(weight),
                f"{_NATS * weight.worth:.2f}",
                weight.declared.description,
            )
            for weight in fit.weights
        ],
        note=f"{fit.positions:,} positions. A value of 1 is {fit.scale:.2f} in log-odds.",
        terms=_TERMS,
    )


def _players(fit: Fit) -> Table:
    ranked = sorted(fit.strengths.items(), key=lambda pair: -pair[1])
    return Table(
        heading="Players",
        columns=("player", "strength in log-odds"),
        rows=[(player, f"{strength:+.2f}") for player, strength in ranked],
        note="How much better than the most frequent player each of them does in the same positions.",
    )


def _number(value: float) -> str:
    """Return a weight with as many digits as matter."""
    return f"{value:.3g}"


def _interval(weight: FittedWeight) -> str:
    """Return the interval of a weight, or nothing if it is unknown."""
    if math.isnan(weight.error):
        return ""
    margin = QUANTILE * weight.error
    return f"{_number(weight.value - margin)} to {_number(weight.value + margin)}"


def _calibration_table(bins: Sequence[CalibrationBin]) -> table.Table:
    """Return a table of about ten of the bins."""
    rows = [
        (f"{part.forecast:.1%}", f"{part.outcome:.1%}", f"{part.samples:,}")
        for part in bins[:: max(1, len(bins) // 10)]
    ]
    return printed(Table("Calibration", ("forecast", "outcome", "snakes"), rows))


def _calibration_chart(bins: Sequence[CalibrationBin]) -> Chart:
    """Return the chart of forecasts and outcomes."""
    forecasts = [part.forecast for part in bins]
    outcomes = [part.outcome for part in bins]
    with drawing.axes() as axes:
        axes.plot([0, 1], [0, 1], color=MUTED, linewidth=1)
        axes.plot(forecasts, outcomes, color=side_colour(0), marker="o", markersize=4)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set(xlabel="forecast chance to win", ylabel="games won", xlim=(0, 1), ylim=(0, 1))
        worst = max(bins, key=lambda part: abs(part.forecast - part.outcome))
        description = (
            "The forecasts and the outcomes of unseen games. The line is a perfect forecast. "
            f"Furthest from it: {worst.forecast:.0%} was forecast for {worst.samples:,} snakes, and "
            f"{worst.outcome:.0%} won."
        )
        return drawing.chart_of(axes, "calibration", "Calibration", description)


def _weights_chart(weights: Sequence[FittedWeight]) -> Chart:
    places = range(len(weights))
    with drawing.axes(height=0.8 + _ROW * len(weights)) as axes:
        axes.axvline(0, color=MUTED, linewidth=1)
        margins = [0.0 if math.isnan(weight.error) else QUANTILE * weight.error for weight in weights]
        axes.errorbar(
            [weight.value for weight in weights],
            places,
            xerr=margins,
            fmt="o",
            color=side_colour(0),
            markersize=5,
        )
        axes.plot([weight.former for weight in weights], places, "D", color=side_colour(1), markersize=4)
        axes.set_yticks(places, [weight.declared.name for weight in weights])
        axes.invert_yaxis()
        axes.set(xlabel="weight")
        description = "Weights before and after. " + " ".join(
            f"{weight.declared.name}: {_number(weight.former)}, {_number(weight.value)}."
            for weight in weights
        )
        keys = (
            LegendEntry("fitted, with its 95 % interval", side_colour_name(0)),
            LegendEntry("former", side_colour_name(1)),
        )
        return drawing.chart_of(axes, "weights", "Weights", description, keys)


def _worth_chart(weights: Sequence[FittedWeight]) -> Chart:
    order = sorted(weights, key=lambda weight: -weight.worth)
    with drawing.axes(height=0.8 + _ROW * len(order)) as axes:
        bars = axes.barh(
            range(len(order)), [_NATS * weight.worth for weight in order], 0.7, color=side_colour(0)
        )
        axes.bar_label(bars, fmt="%.2f", padding=2, fontsize=8, color=INK)
        axes.set_yticks(range(len(order)), [weight.declared.name for weight in order])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.grid(True, axis="x")
        axes.grid(False, axis="y")
        axes.set(xlabel="growth of the loss without it, in thousandths of a nat")
        best = order[0]
        description = f"The worth of each weight. Most: {best.declared.name}, {_NATS * best.worth:.2f}."
        return drawing.chart_of(axes, "worth", "Worth", description)
