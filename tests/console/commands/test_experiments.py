"""The command line: python -m console experiments."""

import subprocess
import sys
from pathlib import Path

from tests.console.conftest import Recorded
from tests.console.console_process import complaint, fails, without
from tests.console.experiments.duels import duels


async def test_comparing_needs_its_extra(tmp_path: Path) -> None:
    """Without rich the command names the extra to install."""
    file = str(tmp_path / "outcomes.sqlite")
    status, error = await fails("experiments", "--outcomes", file, command=without("rich"))
    assert status == 1 and "[experiments]" in error


async def test_missing_outcomes_are_one_clear_line(tmp_path: Path) -> None:
    """A missing file, or no database, is an error of one line."""
    status, error = await complaint("experiments", "--outcomes", str(tmp_path / "none.sqlite"))
    assert status == 1 and "none.sqlite" in error and "Traceback" not in error
    status, error = await complaint("experiments", "--outcomes", "none")
    assert status == 1 and "--outcomes is none" in error


SLOW = ("aiohttp", "grpc", "google.protobuf", "scipy")
"""Packages that take a tenth of a second or more, or that a report of two arms has no use for."""

RUN = """
import sys
from console.commands.main import main
main(sys.argv[1:], standalone_mode=False)
print(*(name for name in {slow!r} if name in sys.modules), file=sys.stderr)
"""


def test_a_report_of_two_arms_imports_nothing_slow(recorded: Recorded, tmp_path: Path) -> None:
    """The command imports nothing for serving."""
    recorded([*duels("x", "blue", 5, 0, 9), *duels("x", "green", 9, 0, 5)])
    options = ["experiments", "--outcomes", str(tmp_path / "outcomes.sqlite")]
    command = [sys.executable, "-c", RUN.format(slow=SLOW), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "blue" in done.stdout and done.stderr.split() == []
