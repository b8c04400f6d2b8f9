"""The picture of docs/capacity.md."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import matplotlib

matplotlib.use("svg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

from docs.autoscaler import Cluster, State, depth_of

COLOURS = ("#0969da", "#d9730d")
STEP = 5
"""Seconds from one point of a line to the next."""


def draw(clusters: Sequence[Cluster], measured: Sequence[dict[str, Any]], file: Path) -> None:
    """Draw games, pods and depth over time, one colour for each cluster."""
    # Without these settings each drawing would differ from the previous one.
    with plt.rc_context({"svg.hashsalt": "autoscaler", "svg.fonttype": "none", "font.size": 9}):
        figure, (games, pods, depth) = plt.subplots(3, sharex=True, figsize=(8.2, 7), layout="constrained")
        states = clusters[0].states[::STEP]
        games.fill_between(_minutes(states), [state.games for state in states], color="#d0d7de")
        games.set_ylabel("games at once")
        for cluster, colour in zip(clusters, COLOURS, strict=True):
            _draw_pods(pods, cluster, colour)
            _draw_depth(depth, cluster, measured, colour)
        pods.set_ylabel("searcher pods of two cores")
        depth.set_ylabel("mean depth of duels (turns)")
        depth.set_xlabel("minutes")
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
        figure.savefig(file, metadata={"Date": None, "Creator": None})
        plt.close(figure)


def _draw_pods(axes: Axes, cluster: Cluster, colour: str) -> None:
    states = cluster.states
    groups = [states[at : at + STEP] for at in range(0, len(states), STEP)]
    ready, name = [group[0].ready for group in groups], cluster.setup.name
    working = [max(state.working for state in group) for group in groups]
    minutes = _minutes([group[0] for group in groups])
    axes.step(minutes, ready, colour, where="post", label=f"{name}: ready")
    axes.step(minutes, working, colour, where="post", linestyle=":", label=f"{name}: searching")


def _draw_depth(axes: Axes, cluster: Cluster, measured: Sequence[dict[str, Any]], colour: str) -> None:
    bins: dict[int, list[float]] = {}
    for move in cluster.moves:
        bins.setdefault(int(move.at) // STEP, []).append(depth_of(move.share, measured, "duel"))
    axes.plot([at * STEP / 60 for at in sorted(bins)], [fmean(bins[at]) for at in sorted(bins)], colour)


def _minutes(states: Sequence[State]) -> list[float]:
    return [state.at / 60 for state in states]
