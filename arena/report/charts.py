"""The page's charts. The names of entrants appear only in the page's legends, not in the drawings."""

from collections.abc import Sequence
from math import isfinite

import numpy as np
from matplotlib.ticker import MaxNLocator

from arena.matches.schedule import games_in_block
from arena.matches.standing import Standing
from arena.report import drawing
from arena.report.drawing import ALARM, INK, MUTED, Chart, legend_entry, side_colour, side_dash
from arena.report.findings import checkpoints, elo_histories, llr_history
from arena.report.wording import interval, plain, signed
from arena.statistics.sprt import Sprt
from battlesnake_search.common.estimation import Estimate

_WIDEST_ELO = 800.0
"""The largest absolute Elo that the axis of the rating shows."""


def charts(standing: Standing) -> list[Chart]:
    """Return the charts of the contenders, none before the first block that counts."""
    if not standing.points:
        return []
    names = [entrant.name for entrant in standing.setup.entrants[: standing.setup.contenders]]
    test = standing.setup.test
    return [_rating(standing, names), *([_llr(standing, test)] if test else [])]


def _rating(standing: Standing, names: Sequence[str]) -> Chart:
    paths, blocks = elo_histories(standing), checkpoints(len(standing.points))
    low, high = _elo_limits([estimate for path in paths for estimate in path[len(path) // 4 :]])
    with drawing.axes() as axes:
        axes.axhline(0, color=MUTED, linewidth=1)
        for index, path in enumerate(paths):
            ends = [np.clip([getattr(each, end) for each in path], low, high) for end in ("low", "high")]
            axes.fill_between(blocks, *ends, color=side_colour(index), alpha=0.18, linewidth=0)
            values = np.clip([each.value for each in path], low, high)
            axes.plot(blocks, values, color=side_colour(index), linestyle=side_dash(index))
        axes.set(xlabel=_blocks_label(standing), ylabel="Elo, 95 % interval", ylim=(low, high))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        ends_at = ", ".join(f"{name} {interval(path[-1])}" for name, path in zip(names, paths, strict=False))
        description = f"Elo against the others by number of blocks. At the end: {ends_at}."
        keys = tuple(legend_entry(names[index], index) for index in range(len(paths)))
        return drawing.chart_of(axes, "rating", "Rating over time", description, keys)


def _elo_limits(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """Return the limits of an axis that has zero and all finite ends of the estimates' intervals on it."""
    ends = [end for each in estimates for end in (each.low, each.high) if isfinite(end)]
    low = max(min([0.0, *ends]), -_WIDEST_ELO) if ends else -_WIDEST_ELO
    high = min(max([0.0, *ends]), _WIDEST_ELO) if ends else _WIDEST_ELO
    margin = 0.05 * (high - low) or 1.0
    return low - margin, high + margin


def _blocks_label(standing: Standing) -> str:
    games = games_in_block(standing.setup)
    return "pairs of games" if games == 2 else f"blocks of {games} games"


def _llr(standing: Standing, sprt: Sprt) -> Chart:
    path, blocks = llr_history(standing, sprt), checkpoints(len(standing.points))
    with drawing.axes() as axes:
        axes.axhline(0, color=MUTED, linewidth=1)
        for bound, name, place in (
            (sprt.upper, "accepted", "bottom"),
            (sprt.lower, "rejected", "top"),
        ):
            axes.axhline(bound, color=ALARM, linestyle="--", linewidth=1.2)
            axes.annotate(name, (0.01, bound), xycoords=("axes fraction", "data"), va=place, color=ALARM)
        axes.plot([0, *blocks], [0.0, *path], color=INK)
        axes.set(xlabel=_blocks_label(standing), ylabel="log-likelihood ratio")
        axes.margins(y=0.14)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        description = (
            f"LLR of {plain(sprt.elo1)} against {plain(sprt.elo0)} Elo by number of blocks: "
            f"{signed(path[-1], 2)} at the end; rejected at {signed(sprt.lower, 2)}, "
            f"accepted at {signed(sprt.upper, 2)}."
        )
        return drawing.chart_of(axes, "llr", "Sequential test", description)
