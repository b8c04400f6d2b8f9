"""What the command imports: its imports take longer than everything else that it does."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.gateway.conftest import Recorded
from tests.gateway.experiments.duels import duels

SLOW = ("aiohttp", "alembic", "grpc", "google.protobuf", "openskill", "scipy", "sqlalchemy", "structlog")
"""Packages that take a tenth of a second or more, or that a report of two arms has no use for."""

RUN = """
import sys
from gateway.commands.main import main
main(sys.argv[1:], standalone_mode=False)
print(*(name for name in {slow!r} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("form", "begins"), [("--json", "{"), ("--csv", "experiment,"), ("--html", "<!DOCTYPE html>"), (None, "")]
)
def test_a_report_of_two_arms_imports_nothing_slow(
    recorded: Recorded, tmp_path: Path, form: str | None, begins: str
) -> None:
    """The command needs neither what serves nor what computes ratings, whatever it prints."""
    recorded([*duels("x", "blue", 5, 0, 9), *duels("x", "green", 9, 0, 5)])
    options = ["experiments", "--outcomes", str(tmp_path / "outcomes.sqlite"), *([form] if form else [])]
    command = [sys.executable, "-c", RUN.format(slow=SLOW), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "blue" in done.stdout and done.stderr.split() == []
    assert done.stdout.startswith(begins) and ("<html" in done.stdout) == (form == "--html")
