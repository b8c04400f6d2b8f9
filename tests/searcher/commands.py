"""Runs the searcher's commands, and small scripts beside it, as processes of their own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]

PATIENCE = 300
"""Seconds that a command may take; most of it for compiling when the cache is cold."""


def run(
    *arguments: str, cache: Path | None = None, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python` with these arguments at the top of the repository.

    Perhaps with a cache of its own, and with `settings` as environment variables.
    """
    environment = {**os.environ, "COLUMNS": "200", **(settings or {})}
    if cache is not None:
        environment["SEARCHER_CACHE_DIR"] = str(cache)
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """A command of `python -m searcher`."""
    return run("-m", "searcher", *map(str, arguments))


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """The command has failed with an error for people, which has these words, and not with a traceback."""
    assert done.returncode not in (0, -9)
    assert "Traceback" not in done.stderr, done.stderr
    assert "error" in done.stderr.lower()
    for word in words:
        assert word in done.stderr
