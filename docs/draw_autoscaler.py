"""Draws the picture of docs/capacity.md."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from docs.autoscaler import Cluster, depth_of

COLOURS = ("#0969da", "#d9730d")
BIN = 10
"""Seconds whose moves are one point of a line."""


def draw(clusters: Sequence[Cluster], measured: Sequence[dict[str, Any]], file: Path) -> None:
    """Games, pods and depth over time, one line for each cluster."""
    # Without these each drawing would differ from the one before.
    settings = {"svg.hashsalt": "autoscaler", "svg.fonttype": "none", "font.size": 9}
    with plt.rc_context(settings):
        figure, (games, pods, depth) = plt.subplots(3, sharex=True, figsize=(8.2, 6.6), layout="constrained")
        first = clusters[0]
        games.fill_between(_minutes(first), [state.games for state in first.states], color="#d0d7de")
        games.set_ylabel("games at once")
        for cluster, colour in zip(clusters, COLOURS, strict=True):
            _draw_pods(pods, cluster, colour)
            _draw_depth(depth, cluster, measured, colour)
        depth.set_xlabel("minutes")
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _draw_pods(axes: Axes, cluster: Cluster, colour: str) -> None:
    axes.step(_minutes(cluster), [state.ready for state in cluster.states], colour, where="post", label=f"ready: {cluster.setup.name}")
    working = [max(state.working for state in cluster.states[at : at + BIN]) for at in range(0, len(cluster.states), BIN)]
    axes.step(_minutes(cluster)[::BIN], working, colour, where="post", linestyle=":", label="of these, searching")
    axes.set_ylabel("searcher pods of two cores")
    axes.legend(frameon=False, loc="upper right")


def _draw_depth(axes: Axes, cluster: Cluster, measured: Sequence[dict[str, Any]], colour: str) -> None:
    bins: dict[int, list[float]] = {}
    for move in cluster.moves:
        bins.setdefault(int(move.at) // BIN, []).append(depth_of(move.share, measured, "duel"))
    axes.plot([at * BIN / 60 for at in sorted(bins)], [fmean(bins[at]) for at in sorted(bins)], colour)
    axes.set_ylabel("mean depth of duels (turns)")


def _minutes(cluster: Cluster) -> list[float]:
    return [state.at / 60 for state in cluster.states]
