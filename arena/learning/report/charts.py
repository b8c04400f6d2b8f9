"""The charts of a fit."""

import math
from collections.abc import Sequence

from matplotlib.ticker import PercentFormatter

from arena.learning.fits.fitting import Fit, FittedWeight
from arena.learning.fits.validation import CalibrationBin
from arena.learning.report.wording import NATS, number
from arena.learning.samples.numbers import QUANTILE
from arena.report import drawing
from arena.report.drawing import INK, MUTED, Chart, LegendEntry, side_colour, side_colour_name

_ROW = 0.24
"""The height of a weight's row."""


def charts(fit: Fit) -> list[Chart]:
    """Return all charts."""
    return [calibration_chart(fit.calibration), _weights(fit.weights), _worth(fit.weights)]


def calibration_chart(bins: Sequence[CalibrationBin]) -> Chart:
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
            "What was forecast for unseen games, and what happened. The line is a perfect forecast. "
            f"Furthest from it: {worst.forecast:.0%} was forecast for {worst.samples:,} snakes, and "
            f"{worst.outcome:.0%} won."
        )
        return drawing.chart_of(axes, "calibration", "Calibration", description)


def _weights(weights: Sequence[FittedWeight]) -> Chart:
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
            f"{weight.declared.name}: {number(weight.former)}, {number(weight.value)}." for weight in weights
        )
        keys = (
            LegendEntry("fitted, with its 95 % interval", side_colour_name(0)),
            LegendEntry("former", side_colour_name(1)),
        )
        return drawing.chart_of(axes, "weights", "Weights", description, keys)


def _worth(weights: Sequence[FittedWeight]) -> Chart:
    order = sorted(weights, key=lambda weight: -weight.worth)
    with drawing.axes(height=0.8 + _ROW * len(order)) as axes:
        bars = axes.barh(
            range(len(order)), [NATS * weight.worth for weight in order], 0.7, color=side_colour(0)
        )
        axes.bar_label(bars, fmt="%.2f", padding=2, fontsize=8, color=INK)
        axes.set_yticks(range(len(order)), [weight.declared.name for weight in order])
        axes.invert_yaxis()
        axes.margins(x=0.12)
        axes.grid(True, axis="x")
        axes.grid(False, axis="y")
        axes.set(xlabel="growth of the loss without it, in thousandths of a nat")
        best = order[0]
        description = f"What each weight is worth. Most: {best.declared.name}, {NATS * best.worth:.2f}."
        return drawing.chart_of(axes, "worth", "Worth", description)
