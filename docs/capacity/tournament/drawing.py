"""The picture of the tournament: the whole of it, and its first minutes."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.capacity.tournament.games import TOURNAMENT_START
from docs.capacity.tournament.outcome import BIN, Outcome
from docs.capacity.tournament.setups import FROM_ZERO, ON_CPU, ON_OCCUPANCY_QUICK, Simulated

SHOWN = {ON_CPU.name: "#d9730d", ON_OCCUPANCY_QUICK.name: "#0969da", FROM_ZERO.name: "#8250df"}
"""The clusters of the picture and their colours."""

FIRST_MINUTES = (0.5, 5.0)
"""The part of the right column, in minutes."""


def draw_tournament(figure: Figure, simulated: Simulated) -> None:
    """Draw games, pods and depth over time, one colour for each cluster."""
    axes = figure.subplots(3, 2, sharex="col", sharey="row", width_ratios=[3, 2])
    shown = [simulated.outcomes[name] for name in SHOWN]
    for column in axes.T:
        _draw_column(column, shown)
    for label, row in zip(
        ("games at once", "searcher pods of two cores", "mean depth of duels"), axes, strict=True
    ):
        row[0].set_ylabel(label)
    axes[0, 1].set_xlim(*FIRST_MINUTES)
    axes[0, 0].set_xlim(0, shown[0].cluster.setup.until / 60)
    axes[0, 0].set_xticks(range(0, 21, 5))
    axes[2, 0].set_xlabel("minutes")
    axes[2, 1].set_xlabel("minutes: the first round's beginning")
    handles, labels = axes[1, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)


def _draw_column(column: Sequence[Axes], shown: Sequence[Outcome]) -> None:
    games, pods, depth = column
    states = shown[0].cluster.states
    games.fill_between([each.at / 60 for each in states], [each.games for each in states], color="#d0d7de")
    for outcome in shown:
        colour = SHOWN[outcome.name]
        every = outcome.cluster.states
        minutes = [state.at / 60 for state in every]
        pods.step(minutes, [state.ready for state in every], colour, where="post", label=outcome.name)
        means = outcome.means()
        depth.plot((np.arange(len(means)) + 0.5) * BIN / 60, means, colour)
    for each in column:
        each.axvline(TOURNAMENT_START / 60, color="#8c959f", linewidth=0.8, linestyle=":")
        each.set_ylim(bottom=0)
