"""Runs the tools of the checks."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

Complaints = Iterator[str]
"""Lines that each name a file and what is wrong with it."""


class CannotCheckError(RuntimeError):
    """What a check needs is not there; says what."""


def tool(root: Path, name: str, *arguments: str | Path) -> Complaints:
    """The lines that a tool prints when it finds fault. Raises CannotCheckError."""
    command = [find_tool(name), *map(str, arguments)]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if found.returncode:
        lines = (found.stdout + found.stderr).splitlines()
        yield from (line.replace(f"{root}/", "") for line in lines if line.strip())


def find_tool(name: str, remedy: str = "`make infra-check` installs it") -> str:
    """A tool's path, beside this Python or anywhere. Raises CannotCheckError."""
    here = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    path = shutil.which(name, path=here)
    if path is None:
        raise CannotCheckError(f"{name} is missing; {remedy}")
    return path
