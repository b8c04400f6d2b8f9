"""The order of the test files."""

import subprocess
import sys

import pytest

from tests.support.order import HEAVIEST
from tests.support.services import ROOT

ALONE = "tests/engine_games/test_whole_games.py"
SMALL, LARGE = "tests/support/test_machine_lock.py", "tests/support/test_games.py"


@pytest.mark.parametrize("file", HEAVIEST)
def test_the_heaviest_files_exist(file: str) -> None:
    """A file that was moved or deleted has no place in the list."""
    assert (ROOT / file).is_file()


def test_heavy_files_start_first_and_tests_that_run_alone_last() -> None:
    """The files are collected in this order, whatever the order on the command line."""
    given = [ALONE, SMALL, LARGE, HEAVIEST[1], HEAVIEST[0]]
    command = [sys.executable, "-m", "pytest", "-n0", "--collect-only", "-q", *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    files = [line.partition("::")[0] for line in done.stdout.splitlines() if "::" in line]
    many_first = sorted((SMALL, LARGE), key=files.count, reverse=True)
    assert list(dict.fromkeys(files)) == [HEAVIEST[0], HEAVIEST[1], *many_first, ALONE]
