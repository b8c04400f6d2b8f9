"""Parts of Grafana dashboards, as the JSON that Grafana reads."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

_DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
COLUMNS = 24
"""The columns of a dashboard."""


@dataclass(frozen=True)
class Query:
    """A query in PromQL, and the name of its lines; `{{label}}` stands for the value of a label."""

    expression: str
    legend: str = ""


@dataclass(frozen=True)
class Panel:
    """A picture of some queries. `unit` is one of Grafana's ids of units."""

    title: str
    description: str
    queries: Sequence[Query]
    unit: str = "short"
    width: int = 8
    kind: str = "timeseries"
    stacked: bool = False
    most: float | None = None
    """The fixed upper end of the axis, or None."""

    def json(self, number: int, x: int, y: int, height: int) -> Json:
        """Return the panel at a place of its dashboard."""
        defaults: Json = {"unit": self.unit, "min": 0}
        if self.most is not None:
            defaults["max"] = self.most
        if self.kind == "timeseries":
            stacking = {"mode": "normal" if self.stacked else "none"}
            defaults["custom"] = {"fillOpacity": 20 if self.stacked else 0, "stacking": stacking}
        return {
            "id": number,
            "type": self.kind,
            "title": self.title,
            "description": self.description,
            "datasource": _DATASOURCE,
            "gridPos": {"x": x, "y": y, "w": self.width, "h": height},
            "fieldConfig": {"defaults": defaults, "overrides": []},
            "targets": [
                {
                    "refId": chr(ord("A") + place),
                    "datasource": _DATASOURCE,
                    "expr": query.expression,
                    "legendFormat": query.legend or "__auto",
                }
                for place, query in enumerate(self.queries)
            ],
        }


@dataclass(frozen=True)
class Row:
    """Panels side by side, with a title above them."""

    title: str
    panels: Sequence[Panel]
    height: int = 8

    def lines(self) -> list[list[Panel]]:
        """Return the panels that fit side by side, line by line."""
        lines: list[list[Panel]] = [[]]
        for panel in self.panels:
            if sum(other.width for other in lines[-1]) + panel.width > COLUMNS:
                lines.append([])
            lines[-1].append(panel)
        return lines


@dataclass(frozen=True)
class Variable:
    """A reader's choice above the panels: some of the values of a label."""

    name: str
    label: str
    query: str


@dataclass(frozen=True)
class Dashboard:
    """A page of rows. `name` is the name of its file and its address."""

    name: str
    title: str
    description: str
    rows: Sequence[Row]
    variables: Sequence[Variable] = field(default_factory=tuple)

    def json(self) -> Json:
        """Return the dashboard as Grafana reads it."""
        return {
            "uid": f"battlesnake-{self.name}",
            "title": self.title,
            "description": self.description,
            "tags": ["battlesnake"],
            "schemaVersion": 39,
            "editable": True,
            "graphTooltip": 1,
            "refresh": "10s",
            "time": {"from": "now-30m", "to": "now"},
            "templating": {"list": [_DATASOURCE_VARIABLE, *map(_variable, self.variables)]},
            "panels": self._panels(),
        }

    def _panels(self) -> list[Json]:
        panels: list[Json] = []
        y = 0
        for row in self.rows:
            place = {"x": 0, "y": y, "w": COLUMNS, "h": 1}
            title = {"id": len(panels) + 1, "type": "row", "title": row.title, "gridPos": place, "panels": []}
            panels.append({**title, "collapsed": False})
            y += 1
            for line in row.lines():
                x = 0
                for panel in line:
                    panels.append(panel.json(len(panels) + 1, x, y, row.height))
                    x += panel.width
                y += row.height
        return panels


_DATASOURCE_VARIABLE: Json = {
    "name": "datasource",
    "label": "Prometheus",
    "type": "datasource",
    "query": "prometheus",
    "current": {},
}


def _variable(variable: Variable) -> Json:
    return {
        "name": variable.name,
        "label": variable.label,
        "type": "query",
        "datasource": _DATASOURCE,
        "query": {"query": variable.query, "refId": variable.name},
        "definition": variable.query,
        "includeAll": True,
        "allValue": ".*",
        "multi": True,
        "refresh": 2,
        "sort": 1,
        "current": {"selected": True, "text": ["All"], "value": ["$__all"]},
    }
