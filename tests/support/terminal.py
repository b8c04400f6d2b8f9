"""Programs on a terminal of their own."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

COLORS = re.compile(r"\x1b\[[\d;]*m")


@contextmanager
def on_terminal(*arguments: str, **settings: str) -> Iterator[Iterator[str]]:
    """Run `python` with these arguments and a terminal for all that it prints until the block ends.

    Yield the lines that it prints there, with all their control characters. `settings` are further
    environment variables.
    """
    ours, theirs = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=environment | {"TERM": "xterm-256color"} | settings,
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        yield _lines(ours)
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def _lines(terminal: int) -> Iterator[str]:
    left = b""
    while chunk := _read(terminal):
        *whole, left = (left + chunk).split(b"\r\n")
        yield from (line.decode() for line in whole)
    yield from [left.decode()] if left else []


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # the process that wrote to it has ended
        return b""
