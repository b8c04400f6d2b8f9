"""The metrics that dashboards, alerts and the page name."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

from battlesnake_search.common.metrics import BuildInfo, EventLoopMetrics
from console.store.store import Store
from console.store.writer import Writer
from gateway.metrics import Metrics as GatewayMetrics
from searcher.serving.metrics import Metrics as SearcherMetrics

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "infra" / "monitoring"

_NAME = re.compile(r"\b(?:gateway|searcher|console|process)_\w+\b(?!:)")


def samples() -> set[str]:
    """Return the names that samples of all services can have."""
    console = CollectorRegistry()
    ProcessCollector("console", registry=console)
    BuildInfo("console", console)
    EventLoopMetrics("console", console)
    Writer(Store("sqlite+aiosqlite:///none"), console)
    text = b"".join(map(generate_latest, (GatewayMetrics().registry, SearcherMetrics().registry, console)))
    names = re.findall(r"^# TYPE (\w+)", text.decode(), re.MULTILINE)
    return {name + part for name in names for part in ("", "_bucket", "_sum", "_count")}


def queries() -> Iterator[str]:
    """Yield all queries of dashboards, rules and the page."""
    for file in (FOLDER / "dashboards").glob("*.json"):
        dashboard = json.loads(file.read_text())
        for panel in dashboard["panels"]:
            yield from (target["expr"] for target in panel.get("targets", ()))
        yield from (each["definition"] for each in dashboard["templating"]["list"] if "definition" in each)
    for group in yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    yield from re.findall(r"^\|.*\| `(.*)` \|$", (ROOT / "docs" / "monitoring.md").read_text(), re.MULTILINE)


def test_every_query_names_metrics_that_exist() -> None:
    """A misspelt name would show nothing, and its alert would never fire."""
    bare = (re.sub(r'"[^"]*"|\b\w+:\w+:\w+', "", query) for query in queries())
    named = {name for query in bare for name in _NAME.findall(query)}
    assert named - samples() == set()
    assert len(named) > 30
