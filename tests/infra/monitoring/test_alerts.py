"""The alerts, by Prometheus' own tool."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
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


def test_the_rules_are_valid() -> None:
    """Prometheus would load them."""
    done = _promtool("check", "rules", FOLDER / "alerts.yaml")
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_alert_fires_on_what_it_is_for() -> None:
    """And on nothing else: the tests in alerts.test.yaml pass, and name every alert."""
    done = _promtool("test", "rules", FOLDER / "alerts.test.yaml")
    assert done.returncode == 0, done.stdout + done.stderr
    tested = (FOLDER / "alerts.test.yaml").read_text()
    assert [alert["alert"] for alert in _alerts() if alert["alert"] not in tested] == []


@pytest.mark.parametrize("alert", _alerts(), ids=lambda alert: alert["alert"])
def test_an_alert_says_what_to_do(alert: dict[str, Any]) -> None:
    """It has a severity, a summary, and its section of the runbook."""
    assert alert["labels"]["severity"] in ("warning", "critical")
    assert alert["annotations"]["summary"] and alert["annotations"]["description"]
    page, _, section = alert["annotations"]["runbook_url"].partition("#")
    headings = re.findall(r"^## (\w+)$", (ROOT / page).read_text(), re.MULTILINE)
    assert section == alert["alert"].lower() and alert["alert"] in headings


def test_the_runbook_has_no_other_sections() -> None:
    """An alert that is gone leaves none behind."""
    headings = re.findall(r"^## (\w+)$", (ROOT / "docs" / "runbook.md").read_text(), re.MULTILINE)
    assert sorted(headings) == sorted(alert["alert"] for alert in _alerts())
