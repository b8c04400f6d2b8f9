"""The output of a test run: a line for each file, and the tests that it left out."""

import re
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support.machine_lock import LOCKS, exclusive_machine
from tests.support.services import ROOT

FAILING = """
import pytest

def test_fails() -> None:
    assert 1 == 2

def test_skips() -> None:
    pytest.skip("Go is missing")

def test_skips_too() -> None:
    pytest.skip("Go is missing")
"""


def output_of(*arguments: str) -> str:
    """Return the output of pytest on this checkout, in two test processes."""
    command = [sys.executable, "-m", "pytest", "-n2", "--dist=loadfile", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120).stdout


def collected(*arguments: str) -> list[str]:
    """Return the ids of the tests that pytest would run, and then the lines that follow them."""
    return output_of("--collect-only", "-q", "-n0", *arguments).splitlines()


def ids(lines: list[str]) -> list[str]:
    """Return the lines that are ids of tests."""
    return sorted(line for line in lines if "::" in line)


def test_each_file_has_a_line_and_a_failure_is_shown_at_once() -> None:
    """The lines count the files; reasons for skipped tests appear once."""
    with TemporaryDirectory(dir=ROOT / ".cache") as folder:
        file = Path(folder) / "test_failing.py"
        file.write_text(FAILING)
        lines = output_of("tests/support/test_steal.py", str(file)).splitlines()
    shown = [line for line in lines if re.match(r" *\[./2\] ", line)]
    assert sorted(line.split()[0] for line in shown) == ["[1/2]", "[2/2]"]
    assert any("tests/support/test_steal.py: 2 tests" in line for line in shown)
    assert any("test_failing.py: 3 tests, 1 failed" in line for line in shown)
    failed = next(number for number, line in enumerate(lines) if line.startswith("FAILED "))
    assert failed < lines.index(next(line for line in shown if "1 failed" in line))
    assert lines.count("2 skipped: Go is missing") == 1


def test_a_run_within_a_test_does_not_wait_for_the_machine() -> None:
    """This test shares the machine; a process that waits to have it alone waits for this test to end."""

    def wait_alone() -> None:
        with exclusive_machine(LOCKS):
            pass

    threading.Thread(target=wait_alone, daemon=True).start()
    assert "2 passed" in output_of("tests/support/test_steal.py")


def test_the_rest_is_left_out_unless_it_is_named() -> None:
    """Without the rest a line names its kinds; named files run as a whole."""
    # The tests of links have a parameter named like the fixture of a browser, and need none.
    links = "tests/docs/test_links.py"
    files = "tests/console/store/test_database.py", "tests/docs/test_site.py", links
    own, rest = collected(*files, "--rest=without"), collected(*files, "--rest=only")
    assert ids(own) and ids(rest)
    assert any(line.startswith(links) for line in own) and not any(line.startswith(links) for line in rest)
    assert sorted(ids(own) + ids(rest)) == ids(collected(*files))
    (line,) = (line for line in own if line.startswith("Left out, because `make test-rest`"))
    assert "PostgreSQL" in line and "browsers" in line
