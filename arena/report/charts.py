"""The page's charts. Names of entrants stand in legends, which are the page's, not in the drawings."""

from collections.abc import Callable, Sequence
from math import isfinite

import numpy as np
from matplotlib.ticker import MaxNLocator, PercentFormatter, ScalarFormatter

from arena.matches.standing import Standing
from arena.report import drawing
from arena.report.counts import Counts
from arena.report.drawing import ALARM, INK, MUTED, Chart, Key, side_colour, side_dash, side_key
from arena.report.history import checkpoints, elo_histories, llr_history
from arena.report.wording import ALIVE, cause_text, interval, plain, signed
from arena.statistics.sprt import Sprt
from estimation.estimate import Estimate

_BINS = 24
_WIDEST_ELO = 800.0
_LONG_TAIL = 20
"""How many times as long as the median the longest time is, for times to be drawn on a logarithmic scale."""


def charts(standing: Standing, counts: Counts, sprt: Sprt | None) -> list[Chart]:
    """All charts that the match has data for."""
    names = [entrant.name for entrant in standing.setup.entrants]
    drawn: list[Chart | None] = []
    if standing.points:
        drawn.append(_rating(standing, names))
        drawn.append(_llr(standing, sprt) if sprt else None)
        drawn.append(_deaths(counts, names))
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
        words = f"Elo against the others by number of blocks. At the end: {ends_at}."
        keys = tuple(side_key(names[index], index) for index in range(len(paths)))
        return drawing.finished(axes, "rating", "Rating over time", words, keys)


def _elo_limits(estimates: Sequence[Estimate]) -> tuple[float, float]:
    """The range of an axis: all that is finite, and zero; the first guesses of a match are not asked."""
    ends = [end for each in estimates for end in (each.low, each.high) if isfinite(end)]
    low = max(min([0.0, *ends]), -_WIDEST_ELO) if ends else -_WIDEST_ELO
    high = min(max([0.0, *ends]), _WIDEST_ELO) if ends else _WIDEST_ELO
    margin = 0.05 * (high - low) or 1.0
    return low - margin, high + margin


def _blocks_label(standing: Standing) -> str:
    entrants = len(standing.setup.entrants)
    return "pairs of games" if entrants == 2 else f"blocks of {entrants} games"


def _llr(standing: Standing, sprt: Sprt) -> Chart:
    path, blocks = llr_history(standing, sprt), checkpoints(len(standing.points))
    with drawing.axes() as axes:
        axes.axhline(0, color=MUTED, linewidth=1)
        for bound, words, place in ((sprt.upper, "accepted", "bottom"), (sprt.lower, "rejected", "top")):
            axes.axhline(bound, color=ALARM, linestyle="--", linewidth=1.2)
            axes.annotate(words, (0.01, bound), xycoords=("axes fraction", "data"), va=place, color=ALARM)
        axes.plot([0, *blocks], [0.0, *path], color=INK)
        axes.set(xlabel=_blocks_label(standing), ylabel="log-likelihood ratio")
        axes.margins(y=0.14)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        words = (
            f"LLR of {plain(sprt.elo1)} against {plain(sprt.elo0)} Elo by number of blocks: "
            f"{signed(path[-1], 2)} at the end; rejected at {signed(sprt.lower, 2)}, "
            f"accepted at {signed(sprt.upper, 2)}."
        )
        return drawing.finished(axes, "llr", "Sequential test", words)


def _deaths(counts: Counts, names: Sequence[str]) -> Chart:
    ends = {end for side in counts.sides for end in side.ends}
    order = sorted(ends, key=lambda end: (end != ALIVE, -sum(side.ends[end] for side in counts.sides)))
    thickness = 0.8 / len(names)
    with drawing.axes(height=0.9 + max(0.36, 0.16 * len(names)) * len(order)) as axes:
        for index, side in enumerate(counts.sides):
            places = [row - 0.4 + (index + 0.5) * thickness for row in range(len(order))]
            bars = axes.barh(
                places, [side.ends[end] for end in order], thickness * 0.88, color=side_colour(index)
            )
            axes.bar_label(bars, padding=2, fontsize=8, color=INK)
        axes.set_yticks(range(len(order)), [cause_text(end) for end in order])
        axes.invert_yaxis()
        axes.set(xlabel="snakes")
        axes.grid(True, axis="x")
        axes.grid(False, axis="y")
        axes.margins(x=0.09)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        words = "How snakes ended, by entrant. " + " ".join(
            f"{name}: {', '.join(f'{cause_text(end)} {side.ends[end]}' for end in order)}."
            for name, side in zip(names, counts.sides, strict=True)
        )
        return drawing.finished(axes, "deaths", "Results by cause of death", words, _side_keys(names))


def _side_keys(names: Sequence[str]) -> tuple[Key, ...]:
    return tuple(side_key(name, index) for index, name in enumerate(names))


def _lengths(counts: Counts, names: Sequence[str]) -> Chart:
    turns = [length for length, _ in counts.lengths]
    winners: list[int | None] = [*range(len(names)), None]
    sets = [[length for length, won in counts.lengths if won == winner] for winner in winners]
    colours = [*(side_colour(index) for index in range(len(names))), MUTED]
    edges = np.histogram_bin_edges(turns, bins=min(_BINS, max(1, max(turns) - min(turns))))
    with drawing.axes() as axes:
        axes.hist(sets, bins=edges.tolist(), stacked=True, color=colours, rwidth=0.92)
        axes.set(xlabel="turns", ylabel="games")
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        words = (
            f"Length of games by who won: {min(turns)} to {max(turns)} turns, "
            f"half of the games under {np.median(turns):.0f}."
        )
        keys = tuple(Key(f"{key.name} won", key.colour) for key in _side_keys(names))
        drawn = (Key("alone" if len(turns) and not any(sets[:-1]) else "draw", "var(--muted)"),)
        return drawing.finished(axes, "lengths", "Results by length of game", words, keys + drawn)


def _depths(counts: Counts, names: Sequence[str]) -> Chart | None:
    told = {depth for side in counts.sides for depth in side.depths}
    if not told:
        return None
    depths = range(min(told), max(told) + 1)
    edges = [depth - 0.5 for depth in [*depths, max(told) + 1]]

    def shares(index: int) -> tuple[Sequence[float], Sequence[float]]:
        side = counts.sides[index].depths
        return [side[depth] / (side.total() or 1) for depth in depths], edges

    words = "Share of moves by completed depth. " + " ".join(
        f"{name}: most often {side.depths.most_common(1)[0][0]}."
        for name, side in zip(names, counts.sides, strict=True)
        if side.depths
    )
    return _distribution("depths", "Depth by side", "depth (turns)", words, names, shares)


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

    limits = [entrant.limits.milliseconds for entrant in standing.setup.entrants]
    words = "Share of moves by time. " + " ".join(
        f"{name}: half within {middle:.1f} ms, 99 % within {high:.1f} ms."
        for name, side in zip(names, counts.sides, strict=True)
        if side.milliseconds
        for middle, high in [np.percentile(side.milliseconds, [50, 99])]
    )
    return _distribution("times", "Time by side", "milliseconds", words, names, shares, limits, logarithmic)


def _distribution(
    id_: str,
    title: str,
    label: str,
    words: str,
    names: Sequence[str],
    shares: Callable[[int], tuple[Sequence[float], Sequence[float]]],
    limits: Sequence[float | None] = (),
    logarithmic: bool = False,
) -> Chart:
    """Outlines of histograms on each other; `shares` are the heights and edges of an entrant's."""
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
        keys = _side_keys(names) + ((Key("limit", "var(--alarm)", "--"),) if any(limits) else ())
        return drawing.finished(axes, id_, title, words, keys)
