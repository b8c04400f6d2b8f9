"""The pictures of the page: the tournament, a cell that fails, and rollouts."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from docs.capacity.cells import FAILED, ROLL
from docs.capacity.tables import BEGIN, FROM_ZERO, ON_CPU, ON_OCCUPANCY_QUICK, Contents
from docs.capacity.tournament import BIN, TOURNAMENT_START, Outcome

PICTURES = ("autoscaler.svg", "failing-cell.svg", "rollouts.svg")

SHOWN = {ON_CPU.name: "#d9730d", ON_OCCUPANCY_QUICK.name: "#0969da", FROM_ZERO.name: "#8250df"}
"""The clusters of the first picture and their colours."""

OWN, OTHERS, FEW = "#d9730d", "#0969da", "#cf222e"
LINES = (("#cf222e", 2.0), ("#d9730d", 4.0), ("#0969da", 1.5), ("#1a7f37", 2.0))
"""Colours and widths of rollouts; the second line runs below the third one for a while."""


def draw_all(contents: Contents, folder: Path) -> None:
    """Draw all pictures into a folder."""
    tournament, failure, rollouts = (folder / name for name in PICTURES)
    with _picture(tournament, 7.0) as figure:
        _draw_tournament(figure, contents)
    with _picture(failure, 5.0) as figure:
        _draw_failure(figure, contents)
    with _picture(rollouts, 3.4) as figure:
        _draw_rollouts(figure, contents)


@contextmanager
def _picture(file: Path, height: float) -> Iterator[Figure]:
    """Yield an empty picture, and write the finished drawing to a file."""
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
        figure = plt.figure(figsize=(8.6, height), layout="constrained")
        yield figure
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _draw_tournament(figure: Figure, contents: Contents) -> None:
    """Draw games, pods and depth over time, on the left all of it and on the right its first minutes."""
    axes = figure.subplots(3, 2, sharex="col", sharey="row", width_ratios=[3, 2])
    for column in axes.T:
        _draw_column(column, [contents.clusters[name] for name in SHOWN])
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


def _draw_failure(figure: Figure, contents: Contents) -> None:
    """Draw a cell that fails and comes back: games, pods and depth, of it and of the others."""
    games, pods, depth = figure.subplots(3, 1, sharex=True)
    kept, few = contents.returning
    failure = kept.failure
    minutes = np.arange(failure.until) / 60
    is_down = (minutes >= failure.fails / 60) & (minutes < failure.back / 60)
    games.plot(minutes, kept.games[FAILED], OWN, label="the cell that fails")
    games.plot(minutes, kept.games[1:].mean(axis=0), OTHERS, label="the others, on average")
    pods.plot(minutes, kept.ready[FAILED], OWN)
    label = "the cell, if it comes back with two pods"
    pods.plot(minutes, few.ready[FAILED], FEW, linestyle="--", label=label)
    pods.plot(minutes, kept.ready[1:].mean(axis=0), OTHERS)
    depth.plot(minutes, np.where(is_down, np.nan, kept.depths[FAILED]), OWN)
    depth.plot(minutes, np.where(is_down, np.nan, few.depths[FAILED]), FEW, linestyle="--")
    depth.plot(minutes, kept.others(), OTHERS)
    for axes, label in ((games, "games"), (pods, "pods"), (depth, "depth of duels")):
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        axes.axvspan(failure.fails / 60, failure.back / 60, color="#f6f8fa")
    depth.set_xlabel("minutes")
    depth.set_xlim(0, failure.until / 60)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)


def _draw_rollouts(figure: Figure, contents: Contents) -> None:
    """Draw the share of the cells with the new evaluator: a good one, and one that is stopped."""
    good, bad = figure.subplots(1, 2, sharey=True)
    for (rollout, _), (colour, width) in zip(contents.rollouts, LINES, strict=True):
        seconds = np.arange(rollout.end + 300)
        share = np.clip((seconds - rollout.starts[:, None]) / ROLL, 0, 1).mean(axis=0)
        good.plot((seconds - BEGIN) / 60, share * 100, colour, lw=width, label=rollout.name)
    # The first fault, in the rollouts in which faults are simulated.
    for stopped, (colour, width) in zip(contents.stopped, LINES[:3], strict=False):
        share = stopped.new.mean(axis=0)
        bad.plot((np.arange(len(share)) - BEGIN) / 60, share * 100, colour, lw=width)
    good.set_title("a good evaluator", fontsize=9)
    bad.set_title(f"one with {contents.stopped[0].fault.name}", fontsize=9)
    good.set_ylabel("searchers with it, %")
    for axes, minutes in ((good, 60), (bad, 3)):
        axes.set_xlabel("minutes")
        axes.set_xlim(0, minutes)
        axes.set_ylim(0, 105)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)
