"""The pictures about cells."""

import numpy as np
from matplotlib.figure import Figure

from docs.capacity.cells.failure import FAILED, Failed
from docs.capacity.cells.rollout import ROLL, Rollout
from docs.capacity.cells.searchers import Values
from docs.capacity.cells.table import BEGIN, CELLS, Simulated

OWN, OTHERS, FEW = "#d9730d", "#0969da", "#cf222e"
LINES = (("#cf222e", 2.0), ("#d9730d", 4.0), ("#0969da", 1.5), ("#1a7f37", 2.0))
"""Colours and widths; the second line runs below the third one for a while."""


def draw_failure(figure: Figure, simulated: Simulated) -> None:
    """Draw a cell that fails and comes back: games, pods and depth, of it and of the others."""
    games, pods, depth = figure.subplots(3, 1, sharex=True)
    kept, few = simulated.returning
    minutes = np.arange(kept.failure.until) / 60
    games.plot(minutes, kept.games[FAILED], OWN, label="the cell that fails")
    games.plot(minutes, _others(kept, kept.games), OTHERS, label="the others, on average")
    pods.plot(minutes, kept.ready[FAILED], OWN)
    pods.plot(
        minutes, few.ready[FAILED], FEW, linestyle="--", label="the cell, if it comes back with two pods"
    )
    pods.plot(minutes, _others(kept, kept.ready), OTHERS)
    depth.plot(minutes, _while_up(kept), OWN)
    depth.plot(minutes, _while_up(few), FEW, linestyle="--")
    depth.plot(minutes, kept.others(), OTHERS)
    for axes, label in ((games, "games"), (pods, "pods"), (depth, "depth of duels")):
        axes.set_ylabel(label)
        axes.set_ylim(bottom=0)
        axes.axvspan(kept.failure.fails / 60, kept.failure.back / 60, color="#f6f8fa")
    depth.set_xlabel("minutes")
    depth.set_xlim(0, kept.failure.until / 60)
    figure.legend(loc="outside upper center", ncols=3, frameon=False)


def _others(failed: Failed, values: Values) -> Values:
    rest = np.arange(len(values)) != FAILED
    means: Values = values[rest].mean(axis=0)
    return means


def _while_up(failed: Failed) -> Values:
    depths: Values = failed.depths[FAILED].copy()
    depths[failed.failure.fails : failed.failure.back] = np.nan
    return depths


def draw_rollouts(figure: Figure, simulated: Simulated) -> None:
    """Draw the share of the cells with the new evaluator: a good one, and one that is stopped."""
    good, bad = figure.subplots(1, 2, sharey=True)
    for (rollout, _), (colour, width) in zip(simulated.rollouts, LINES, strict=True):
        seconds = np.arange(rollout.end + 300)
        good.plot((seconds - BEGIN) / 60, _shares(rollout, seconds), colour, lw=width, label=rollout.name)
    # The first fault, in the rollouts in which faults are simulated.
    for stopped, (colour, width) in zip(simulated.stopped[: len(LINES) - 1], LINES, strict=False):
        share = stopped.new.mean(axis=0)
        bad.plot((np.arange(len(share)) - BEGIN) / 60, share * 100, colour, lw=width)
    good.set_title("a good evaluator", fontsize=9)
    bad.set_title(f"one with {simulated.stopped[0].fault.name}", fontsize=9)
    good.set_ylabel("searchers with it, %")
    for axes, minutes in ((good, 60), (bad, 3)):
        axes.set_xlabel("minutes")
        axes.set_xlim(0, minutes)
        axes.set_ylim(0, 105)
    figure.legend(loc="outside upper center", ncols=4, frameon=False)


def _shares(rollout: Rollout, seconds: Values) -> Values:
    starts = rollout.starts(CELLS)
    percents: Values = np.clip((seconds - starts[:, None]) / ROLL, 0, 1).mean(axis=0) * 100
    return percents
