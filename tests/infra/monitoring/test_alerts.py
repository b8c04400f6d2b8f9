"""The alerts, by Prometheus' own tool."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import yaml

from tests.support.dependencies import report_missing

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "infra" / "monitoring"


def _promtool(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    program = shutil.which("promtool")
    if program is None:
        report_missing("promtool", "prometheus")
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


def _alerts() -> list[dict[str, Any]]:
    groups = yaml.safe_load((FOLDER / "alerts.yaml").read_text())["groups"]
    return [rule for group in groups for rule in group["rules"] if "alert" in rule]


def test_each_alert_fires_on_what_it_is_for() -> None:
    """And on nothing else: the tests in alerts.test.yaml pass, and name every alert."""
    done = _promtool("test", "rules", FOLDER / "alerts.test.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    tested = (FOLDER / "alerts.test.yaml").read_text()
    assert [alert["alert"] for alert in _alerts() if alert["alert"] not in tested] == []


def test_each_alert_has_its_section_of_the_runbook() -> None:
    """An alert that is gone leaves none behind."""
    for alert in _alerts():
        section = alert["annotations"]["runbook_url"].partition("#")[2]
        assert section == alert["alert"].lower()
    headings = re.findall(r"^## (\w+)$", (ROOT / "docs" / "runbook.md").read_text(), re.MULTILINE)
    assert sorted(headings) == sorted(alert["alert"] for alert in _alerts())
