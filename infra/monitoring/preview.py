"""Pictures of dashboards with the data of a running Prometheus, for a look without Grafana."""

import re
from collections.abc import Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from infra.monitoring.panels import COLUMNS, Dashboard, Panel
from infra.monitoring.prometheus_api import Series, query_range

_LABEL = re.compile(r"{{(\w+)}}")


def draw(dashboard: Dashboard, url: str, seconds: float, folder: Path) -> tuple[Path, list[str]]:
    """Draw a dashboard into a folder; return the picture's path and the titles of panels without data."""
    lines = [(row.height, line) for row in dashboard.rows for line in row.lines()]
    figure = Figure(figsize=(18, sum(height for height, _ in lines) * 0.42), layout="constrained")
    figure.suptitle(dashboard.title, fontsize=16)
    grid = figure.add_gridspec(len(lines), COLUMNS, height_ratios=[height for height, _ in lines])
    empty = []
    for number, (_, panels) in enumerate(lines):
        x = 0
        for panel in panels:
            axes = figure.add_subplot(grid[number, x : x + panel.width])
            if not _draw(axes, panel, url, seconds):
                empty.append(panel.title)
            x += panel.width
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{dashboard.name}.png"
    figure.savefig(path, dpi=80)
    return path, empty


def _draw(axes: Axes, panel: Panel, url: str, seconds: float) -> bool:
    """Draw a panel; return whether it has data."""
    named = [
        (_name(query.legend, series), series)
        for query in panel.queries
        for series in query_range(url, query.expression, seconds)
    ]
    axes.set_title(panel.title, fontsize=11, loc="left")
    if panel.kind == "stat":
        axes.axis("off")
        text = _with_unit(named[0][1].values[-1], panel.unit) if named else "no data"
        axes.text(0.5, 0.4, text, fontsize=26, ha="center", va="center", transform=axes.transAxes)
    else:
        _draw_lines(axes, panel, named)
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _with_unit(value, panel.unit)))
    return bool(named)


def _draw_lines(axes: Axes, panel: Panel, named: Sequence[tuple[str, Series]]) -> None:
    for name, series in named:
        end = series.times[-1]
        axes.plot([moment - end for moment in series.times], series.values, label=name, linewidth=1.2)
    axes.set_ylim(bottom=0, top=panel.most)
    axes.grid(alpha=0.3)
    axes.set_xlabel("seconds before now", fontsize=8)
    if 0 < len(named) <= 8:
        axes.legend(fontsize=7, loc="best")


def _name(legend: str, series: Series) -> str:
    return _LABEL.sub(lambda match: series.labels.get(match[1], ""), legend).strip()


def _with_unit(value: float, unit: str) -> str:
    """Return a value as Grafana shows it in a unit."""
    if unit == "percentunit":
        return f"{value:.1%}"
    if unit == "s":
        return f"{value * 1000:.3g} ms" if abs(value) < 1 else f"{value:.3g} s"
    if unit == "bytes":
        return f"{value / 2**20:.0f} MiB"
    return f"{value / 1e6:.3g} M" if abs(value) >= 1e6 else f"{value:.4g}"
