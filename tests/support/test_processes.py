"""Figures of processes, by /proc."""

import os
import subprocess
import sys

from tests.support.http import wait_until
from tests.support.processes import family, module, usage
from tests.support.services import EXIT_WITHIN

CODE = """
import subprocess, sys
reader = subprocess.Popen([sys.executable, "-m", "base64"])
print(reader.pid, flush=True)
sys.exit(reader.wait())
"""


def test_descendants_are_found_by_what_they_run() -> None:
    """A child and its child belong to the family, and the latter is named by its module."""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", CODE], stdin=pipe, stdout=pipe) as child:
        assert child.stdin and child.stdout
        grandchild = int(child.stdout.readline())
        assert {child.pid, grandchild} <= set(family(os.getpid()))
        # The kernel shows the command of a process a moment after its start.
        wait_until(lambda: module(grandchild) == "base64", EXIT_WITHIN)
        child.stdin.close()


def test_usage_counts_memory_and_files() -> None:
    """Memory that is written and files that are opened are counted."""
    more = "block = bytearray(b'x' * 20_000_000); file = open('/dev/null')"
    code = f"import sys; print(flush=True); input(); {more}; print(flush=True); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as child:
        assert child.stdin and child.stdout
        child.stdout.readline()
        before = usage(child.pid)
        child.stdin.write(b"\n")
        child.stdin.flush()
        child.stdout.readline()
        after = usage(child.pid)
        child.stdin.close()
    assert after.megabytes - before.megabytes > 10
    assert after.files - before.files == 1


def test_usage_counts_threads() -> None:
    """A child without threads of its own has one."""
    with subprocess.Popen(["sleep", "60"]) as child:
        assert usage(child.pid).threads == 1
        child.kill()
