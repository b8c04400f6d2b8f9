"""The workflows of GitHub Actions, checked by actionlint."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.dependencies import report_missing
from tests.support.go_build import CACHE, GoMissingError, go_build, pinned_version
from tests.support.services import ROOT

MODULE = ROOT / "tests" / "support" / "actionlint"
LINTER = "github.com/rhysd/actionlint"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture(scope="module")
def actionlint() -> Path:
    """Return the linter, built with Go."""
    binary = CACHE / f"actionlint-{pinned_version(MODULE, LINTER)}" / "actionlint"
    try:
        if not binary.exists():
            go_build(MODULE, f"{LINTER}/cmd/actionlint", binary)
    except GoMissingError:
        report_missing("Go (it builds actionlint)", "golang-go")
    return binary


def lint(actionlint: Path, *files: Path) -> str:
    """Return what the linter finds in workflows and in their shell scripts."""
    shellcheck = ROOT / ".venv" / "bin" / "shellcheck"
    command: list[str | Path] = [actionlint, "-shellcheck", shellcheck, "-pyflakes", "", *files]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False).stdout


def test_the_workflows_are_valid(actionlint: Path) -> None:
    """Their keys, expressions, names and scripts."""
    assert WORKFLOWS
    assert lint(actionlint, *WORKFLOWS) == ""


def test_releases_are_tested_on_every_supported_version() -> None:
    """The matrix has what pyproject.toml names."""
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())
    matrix = re.search(r"python: \[(.*)\]", (ROOT / ".github" / "workflows" / "tests.yml").read_text())
    assert matrix and re.findall(r'"(3\.\d+)"', matrix[1]) == named
