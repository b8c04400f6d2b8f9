"""Runs the tools of the checks."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

Complaints = Iterator[str]
"""Lines that each name a file and what is wrong with it."""


class MissingToolError(RuntimeError):
    """A tool that a check needs is not installed; says which."""


def tool(root: Path, name: str, *arguments: str | Path) -> Complaints:
    """The lines that a tool prints when it finds fault. Raises MissingToolError."""
    command = [find_tool(name), *map(str, arguments)]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if found.returncode:
        lines = (found.stdout + found.stderr).splitlines()
        yield from (line.replace(f"{root}/", "") for line in lines if line.strip())


def find_tool(name: str) -> str:
    """A tool's path, beside this Python or anywhere. Raises MissingToolError."""
    here = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    path = shutil.which(name, path=here)
    if path is None:
        raise MissingToolError(f"{name} is missing; `make infra-check` installs it")
    return path
