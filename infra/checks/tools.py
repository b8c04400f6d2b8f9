"""The external tools of the checks."""

import os
import shutil
import sys
from pathlib import Path


class CannotCheckError(RuntimeError):
    """A check lacks a requirement. The message names it."""


def find_tool(name: str, remedy: str = "`make infra-check` installs it") -> str:
    """Return the path of a tool, next to this Python or on PATH. Raises CannotCheckError if it is missing."""
    search_path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    path = shutil.which(name, path=search_path)
    if path is None:
        raise CannotCheckError(f"{name} is missing; {remedy}")
    return path
