"""Runs of the searcher's commands in this process or in their own, and of small scripts."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from searcher.commands.main import main
from tests.support.commands import called

ROOT = Path(__file__).parents[2]

PATIENCE = 300
"""Seconds for a command; it takes that long only if the cache is cold."""


def run(
    *arguments: str, cache: Path | None = None, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run `python` with these arguments in the root folder of the repository.

    `cache` is the cache directory to use; `settings` are further environment variables.
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
    """Run a command of `python -m searcher`."""
    return run("-m", "searcher", *map(str, arguments))


def call(*arguments: str | Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """Call a command of `python -m searcher` in this process, whose code and board shapes it uses.

    `settings` are further environment variables.
    """
    result = called(main, *arguments, COLUMNS="200", **settings)
    return subprocess.CompletedProcess(arguments, result.exit_code, result.stdout, result.stderr)


def assert_refused(done: subprocess.CompletedProcess[str], *words: str) -> None:
    """Assert that a command has failed without a traceback, with an error that contains these words."""
    assert done.returncode not in (0, -9)
    assert "Traceback" not in done.stderr, done.stderr
    assert "error" in done.stderr.lower()
    for word in words:
        assert word in done.stderr, done.stderr
