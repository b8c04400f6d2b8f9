"""The dashboards, and the metrics that they and the alerts name."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from gateway.metrics import Metrics as GatewayMetrics
from infra.monitoring.__main__ import DASHBOARDS, FOLDER, text
from infra.monitoring.panels import Dashboard
from searcher.serving.metrics import Metrics as SearcherMetrics

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "monitoring.md"
ALERTS = FOLDER.parent / "alerts.yaml"

OF_PROMETHEUS = {"up", "ALERTS"}
_NAME = re.compile(r"\b(?:up|(?:gateway|searcher|process)_\w+)\b(?!:)")
_PARTS = ("", "_bucket", "_sum", "_count")


def metrics() -> dict[str, tuple[str, frozenset[str]]]:
    """Return the type and the labels of each metric of both services, by the name in queries."""
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for registry in (GatewayMetrics().registry, SearcherMetrics().registry):
        for collector in registry._collector_to_names:
            names = tuple(getattr(collector, "_labelnames", ()))
            for family in collector.collect():
                suffix = {"counter": "_total", "info": "_info"}.get(family.type, "")
                labels = names or tuple(family.samples[0].labels if family.type == "info" else ())
                if not family.name.endswith("_created"):
                    found[family.name + suffix] = family.type, frozenset(labels)
    return found


def queries() -> Iterator[str]:
    """Yield all queries of dashboards and rules."""
    for dashboard in DASHBOARDS:
        for row in dashboard.rows:
            yield from (query.expression for panel in row.panels for query in panel.queries)
        yield from (variable.query for variable in dashboard.variables)
    for group in yaml.safe_load(ALERTS.read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])


@pytest.mark.parametrize("dashboard", DASHBOARDS, ids=lambda dashboard: dashboard.name)
def test_the_file_is_what_the_script_writes(dashboard: Dashboard) -> None:
    """python -m infra.monitoring write brings it up to date."""
    assert (FOLDER / f"{dashboard.name}.json").read_text() == text(dashboard)


def test_panels_lie_side_by_side_without_overlap() -> None:
    """Within the columns that Grafana has."""
    for dashboard in DASHBOARDS:
        taken: set[tuple[int, int]] = set()
        for panel in dashboard.json()["panels"]:
            place = panel["gridPos"]
            cells = {
                (x, y)
                for x in range(place["x"], place["x"] + place["w"])
                for y in range(place["y"], place["y"] + place["h"])
            }
            assert not cells & taken and place["x"] + place["w"] <= 24
            taken |= cells


def test_every_query_names_metrics_that_exist() -> None:
    """A misspelt name would show nothing, and its alert would never fire."""
    known = OF_PROMETHEUS | {name + part for name in metrics() for part in _PARTS}
    text = [re.sub(r'"[^"]*"', "", query) for query in queries()]
    recorded = [re.sub(r"\b\w+:\w+:\w+", "", query) for query in text]
    named = {name for query in recorded for name in _NAME.findall(query)}
    assert named - known == set()
    assert len(named) > 30


def test_the_page_lists_every_metric_with_its_type_and_labels() -> None:
    """And no other ones."""
    rows = re.findall(
        r"^\| `((?:gateway|searcher|process)_\w+)` \| (\w+) \| ([^|]*) \|", PAGE.read_text(), re.M
    )
    listed = {name: (kind, frozenset(re.findall(r"`(\w+)`", labels))) for name, kind, labels in rows}
    ours = {name: about for name, about in metrics().items() if not re.match(r"(searcher_)?process_", name)}
    assert listed == ours
