"""The page's charts. The names of entrants appear only in the page's legends, not in the drawings."""

from collections import Counter
from collections.abc import Callable, Sequence
from math import isfinite

import numpy as np
from matplotlib.ticker import MaxNLocator, PercentFormatter, ScalarFormatter

from arena.conduct import Figures
from arena.matches.schedule import games_in_block
from arena.matches.standing import Standing
from arena.report import drawing
from arena.report.drawing import ALARM, INK, MUTED, Chart, LegendEntry, legend_entry, side_colour, side_dash
from arena.report.findings import Counts, checkpoints, elo_histories, llr_history
from arena.report.wording import ALIVE, cause_text, interval, plain, signed
from arena.statistics.sprt import Sprt
from battlesnake_search.common.estimation import Estimate

_BINS = 24
_WIDEST_ELO = 800.0
"""The largest absolute Elo that the axis of the rating shows."""
_LONG_TAIL = 20
"""Times have a logarithmic scale if the longest time is more than this factor times the median."""


def charts(standing: Standing, counts: Counts, figures: Figures) -> list[Chart]:
    """Return all charts for which the match has data. They show the contenders alone."""
    contenders = standing.setup.contenders
    names = [entrant.name for entrant in standing.setup.entrants[:contenders]]
    counts = Counts(counts.sides[:contenders], counts.lengths)
    drawn: list[Chart | None] = []
    if standing.points:
        drawn.append(_rating(standing, names))
        drawn.append(_llr(standing, test) if (test := standing.setup.test) else None)
        drawn.append(_deaths(figures, names))
        drawn.append(_lengths(counts, names))
    drawn.append(_depths(counts, names))
    drawn.append(_times(standing, counts, names))
    return [chart for chart in drawn if chart is not None]


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


def _deaths(figures: Figures, names: Sequence[str]) -> Chart:
    compared = figures.conducts[: len(names)]
    sides = [each.deaths + Counter({ALIVE: each.snakes - each.deaths.total()}) for each in compared]
    ends = {end for side in sides for end in side}
    order = sorted(ends, key=lambda end: (end != ALIVE, -sum(side[end] for side in sides)))
    thickness = 0.8 / len(names)
    with drawing.axes(height=0.9 + max(0.36, 0.16 * len(names)) * len(order)) as axes:
        for index, side in enumerate(sides):
            places = [row - 0.4 + (index + 0.5) * thickness for row in range(len(order))]
            bars = axes.barh(places, [side[end] for end in order], thickness * 0.88, color=side_colour(index))
            axes.bar_label(bars, padding=2, fontsize=8, color=INK)
        axes.set_yticks(range(len(order)), [cause_text(end) for end in order])
        axes.invert_yaxis()
        axes.set(xlabel="snakes")
        axes.grid(True, axis="x")
        axes.grid(False, axis="y")
        axes.margins(x=0.09)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        description = "Deaths and survivals of snakes by entrant. " + " ".join(
            f"{name}: {', '.join(f'{cause_text(end)} {side[end]}' for end in order)}."
            for name, side in zip(names, sides, strict=True)
        )
        return drawing.chart_of(axes, "deaths", "Results by cause of death", description, _legend(names))


def _legend(names: Sequence[str]) -> tuple[LegendEntry, ...]:
    return tuple(legend_entry(name, index) for index, name in enumerate(names))


def _lengths(counts: Counts, names: Sequence[str]) -> Chart:
    turns = [length for length, _ in counts.lengths]
    others = any(won is not None and won >= len(names) for _, won in counts.lengths)
    winners = [*range(len(names)), *["another"] * others, None]
    sets = [
        [length for length, won in counts.lengths if _winner(won, len(names)) == winner] for winner in winners
    ]
    colours = [*(side_colour(index) for index in range(len(winners) - 1)), MUTED]
    edges = np.histogram_bin_edges(turns, bins=min(_BINS, max(1, max(turns) - min(turns))))
    with drawing.axes() as axes:
        axes.hist(sets, bins=edges.tolist(), stacked=True, color=colours, rwidth=0.92)
        axes.set(xlabel="turns", ylabel="games")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        description = (
            f"Length of games by winner: {min(turns)} to {max(turns)} turns, "
            f"half of the games under {np.median(turns):.0f}."
        )
        legend = _legend([*names, *["another"] * others])
        keys = tuple(LegendEntry(f"{key.name} won", key.colour) for key in legend)
        drawn = (LegendEntry("alone" if len(turns) and not any(sets[:-1]) else "draw", "var(--muted)"),)
        return drawing.chart_of(axes, "lengths", "Results by length of game", description, keys + drawn)


def _winner(won: int | None, contenders: int) -> int | str | None:
    return "another" if won is not None and won >= contenders else won


def _depths(counts: Counts, names: Sequence[str]) -> Chart | None:
    depths_seen = {depth for side in counts.sides for depth in side.depths}
    if not depths_seen:
        return None
    depths = range(min(depths_seen), max(depths_seen) + 1)
    edges = [depth - 0.5 for depth in [*depths, max(depths_seen) + 1]]

    def shares(index: int) -> tuple[Sequence[float], Sequence[float]]:
        side = counts.sides[index].depths
        return [side[depth] / (side.total() or 1) for depth in depths], edges

    description = "Share of moves by completed depth. " + " ".join(
        f"{name}: most often {side.depths.most_common(1)[0][0]}."
        for name, side in zip(names, counts.sides, strict=True)
        if side.depths
    )
    return _distribution("depths", "Depth by side", "depth (turns)", description, names, shares)


def _times(standing: Standing, counts: Counts, names: Sequence[str]) -> Chart | None:
    everything = np.concatenate([side.milliseconds for side in counts.sides])
    if not len(everything):
        return None
    longest, middle = float(everything.max()), float(np.median(everything))
    logarithmic = longest > _LONG_TAIL * max(middle, 0.1)
    floor = max(float(everything.min()), 0.1)
    edges = (
        np.geomspace(floor, max(longest, 2 * floor), _BINS + 1)
        if logarithmic
        else np.linspace(0, longest or 1.0, _BINS + 1)
    )

    def shares(index: int) -> tuple[Sequence[float], Sequence[float]]:
        times = np.clip(counts.sides[index].milliseconds, edges[0], edges[-1])
        return (np.histogram(times, edges)[0] / max(len(times), 1)).tolist(), edges.tolist()

    limits = [entrant.limits.milliseconds for entrant in standing.setup.entrants[: len(names)]]
    description = "Share of moves by time. " + " ".join(
        f"{name}: half within {middle:.1f} ms, 99 % within {high:.1f} ms."
        for name, side in zip(names, counts.sides, strict=True)
        if side.milliseconds
        for middle, high in [np.percentile(side.milliseconds, [50, 99])]
    )
    return _distribution(
        "times", "Time by side", "milliseconds", description, names, shares, limits, logarithmic
    )


def _distribution(
    id_: str,
    title: str,
    label: str,
    description: str,
    names: Sequence[str],
    shares: Callable[[int], tuple[Sequence[float], Sequence[float]]],
    limits: Sequence[float | None] = (),
    logarithmic: bool = False,
) -> Chart:
    """Draw overlaid histograms. `shares` returns the heights and edges of an entrant's histogram."""
    with drawing.axes() as axes:
        for index in range(len(names)):
            colour = side_colour(index)
            axes.stairs(*shares(index), fill=True, color=colour, alpha=0.15)
            axes.stairs(*shares(index), color=colour, linestyle=side_dash(index), linewidth=1.8)
        for limit in {each for each in limits if each is not None}:
            axes.axvline(limit, color=ALARM, linestyle="--", linewidth=1.2)
        if logarithmic:
            axes.set_xscale("log")
            axes.xaxis.set_major_formatter(ScalarFormatter())
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
        axes.set(xlabel=label, ylabel="share of moves")
        keys = _legend(names) + ((LegendEntry("limit", "var(--alarm)", "--"),) if any(limits) else ())
        return drawing.chart_of(axes, id_, title, description, keys)
