"""The external tools of the checks."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

Complaints = Iterator[str]
"""Lines that each name a file and a problem in it."""


class CannotCheckError(RuntimeError):
    """A check lacks a requirement. The message names it."""


def tool(root: Path, name: str, *arguments: str | Path) -> Complaints:
    """Yield the lines that a tool prints on failure. Raises CannotCheckError if the tool is missing."""
    command = [find_tool(name), *map(str, arguments)]
    completed = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if completed.returncode:
        lines = (completed.stdout + completed.stderr).splitlines()
        yield from (line.replace(f"{root}/", "") for line in lines if line.strip())


def find_tool(name: str, remedy: str = "`make infra-check` installs it") -> str:
    """Return the path of a tool, next to this Python or on PATH. Raises CannotCheckError if it is missing."""
    search_path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    path = shutil.which(name, path=search_path)
    if path is None:
        raise CannotCheckError(f"{name} is missing; {remedy}")
    return path
