"""The picture of the page: the tournament."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.capacity.tables import FROM_ZERO, ON_CPU, ON_OCCUPANCY_QUICK, Contents
from docs.capacity.tournament import BIN, TOURNAMENT_START, Outcome

SHOWN = {ON_CPU.name: "#d9730d", ON_OCCUPANCY_QUICK.name: "#0969da", FROM_ZERO.name: "#8250df"}
"""The clusters of the picture and their colours."""


def draw(contents: Contents, file: Path) -> None:
    """Draw games, pods and depth over time, on the left all of it and on the right its first minutes."""
    # Without these settings each drawing would differ from the previous one.
    with plt.rc_context(
        {
            "svg.hashsalt": file.stem,
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure = plt.figure(figsize=(8.6, 7.0), layout="constrained")
        _draw_tournament(figure, [contents.clusters[name] for name in SHOWN])
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _draw_tournament(figure: Figure, shown: Sequence[Outcome]) -> None:
    axes = figure.subplots(3, 2, sharex="col", sharey="row", width_ratios=[3, 2])
    for column in axes.T:
        _draw_column(column, shown)
    labels = ("games at once", "searcher pods of two cores", "mean depth of duels")
    for label, row in zip(labels, axes, strict=True):
        row[0].set_ylabel(label)
    axes[0, 1].set_xlim(0.5, 5.0)
    axes[0, 0].set_xlim(0, 20)
    axes[0, 0].set_xticks(range(0, 21, 5))
    axes[2, 0].set_xlabel("minutes")
    axes[2, 1].set_xlabel("minutes: the first round's beginning")
    figure.legend(*axes[1, 0].get_legend_handles_labels(), loc="outside upper center", ncols=3, frameon=False)


def _draw_column(column: Sequence[Axes], shown: Sequence[Outcome]) -> None:
    games, pods, depth = column
    states = shown[0].cluster.states
    games.fill_between([each.at / 60 for each in states], [each.games for each in states], color="#d0d7de")
    for outcome, (name, colour) in zip(shown, SHOWN.items(), strict=True):
        states = outcome.cluster.states
        minutes, ready = [state.at / 60 for state in states], [state.ready for state in states]
        pods.step(minutes, ready, colour, where="post", label=name)
        means = outcome.means()
        depth.plot((np.arange(len(means)) + 0.5) * BIN / 60, means, colour)
    for each in column:
        each.axvline(TOURNAMENT_START / 60, color="#8c959f", linewidth=0.8, linestyle=":")
        each.set_ylim(bottom=0)
