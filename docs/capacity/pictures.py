"""The pictures of the page: the depth of searches that share a core, and the tournament."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.capacity.load import Round
from docs.capacity.tables import FROM_ZERO, ON_CPU, ON_OCCUPANCY_QUICK, Contents
from docs.capacity.tournament import BIN, TOURNAMENT_START, Outcome

SHOWN = {ON_CPU.name: "#d9730d", ON_OCCUPANCY_QUICK.name: "#0969da", FROM_ZERO.name: "#8250df"}
"""The clusters of the picture and their colours."""

KINDS = {"duel": "duels", "four": "four snakes"}
"""The kinds of positions of a load run, and their names."""


def draw(contents: Contents, folder: Path) -> None:
    """Draw depth.svg and autoscaler.svg into a folder.

    The first has the depths by the number of games on a core. The second has games, pods and depth over time,
    on the left all of it and on the right its first minutes.
    """
    with _drawing(folder / "depth.svg", (6.4, 3.2)) as figure:
        _draw_depths(figure, contents.run["rounds"])
    with _drawing(folder / "autoscaler.svg", (8.6, 7.0)) as figure:
        _draw_tournament(figure, [contents.clusters[name] for name in SHOWN])


@contextmanager
def _drawing(file: Path, inches: tuple[float, float]) -> Iterator[Figure]:
    """Yield a figure that is then written to a file, always with the same content."""
    with plt.rc_context(
        {
            "svg.hashsalt": file.stem,
            "svg.fonttype": "none",
            "font.size": 9,
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    ):
        figure = plt.figure(figsize=inches, layout="constrained")
        yield figure
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _draw_depths(figure: Figure, rounds: Sequence[Round]) -> None:
    axes = figure.subplots()
    games = [each["games a core"] for each in rounds]
    for (kind, label), colour in zip(KINDS.items(), SHOWN.values(), strict=False):
        axes.plot(games, [each[f"depth {kind}"] for each in rounds], "o-", color=colour, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xticks(games, [f"{number:g}" for number in games])
    axes.set_ylim(bottom=0)
    axes.set_xlabel("games on the core")
    axes.set_ylabel("mean depth, turns")
    axes.legend(frameon=False)


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
