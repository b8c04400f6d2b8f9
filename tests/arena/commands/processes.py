"""Commands of the arena: called in this process, and as processes that are killed."""

import random
import subprocess
import sys
import time
from pathlib import Path

from arena.commands.main import main
from tests.support.commands import called

ROOT = Path(__file__).parents[3]


def command(*arguments: str | Path) -> list[str]:
    """The command line of the arena."""
    return [sys.executable, "-m", "arena", *map(str, arguments)]


def run(*arguments: str | Path, code: int = 0) -> str:
    """The output of a command, called in this process, whose exit code must be `code`."""
    result = called(main, *arguments)
    assert result.exit_code == code, result.output
    return result.output


def complaint(*arguments: str | Path) -> str:
    """The one line with which a command, called in this process, refuses its arguments."""
    result = called(main, *arguments)
    assert result.exit_code in (1, 2)
    return result.stderr


def start_and_kill(*arguments: str | Path, file: Path, times: int) -> None:
    """Start a command several times, and kill it at random moments after it has written a block."""
    rng = random.Random(8)
    for _ in range(times):
        with subprocess.Popen(
            command(*arguments), cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True
        ) as process:
            wait_until_written(file)
            time.sleep(rng.uniform(0.1, 0.5))
            process.kill()


def wait_until_written(file: Path) -> None:
    """Wait until the file of a match has another block, at most half a minute."""
    end = time.monotonic() + 30
    # The first line is the setup.
    before = max(_lines(file), 1)
    while time.monotonic() < end and _lines(file) <= before:
        time.sleep(0.02)


def _lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0
