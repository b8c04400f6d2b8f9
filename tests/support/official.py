"""The official Battlesnake engine, built at a pinned version with Go and kept in `.cache`."""

import os
import re
import shutil
import subprocess
from pathlib import Path

MODULE = Path(__file__).parent / "engine"
"""Holds the go.mod that pins the engine, and the go.sum that its sources are checked against."""

PACKAGE = "github.com/BattlesnakeOfficial/rules/cli/battlesnake"

CACHE = Path(__file__).parents[2] / ".cache"


class GoMissingError(RuntimeError):
    """The engine has yet to be built, and there is no Go to build it with."""


def official_engine() -> Path:
    """The path of the engine's binary, built on the first call.

    Raises GoMissingError without Go, subprocess.CalledProcessError when the build fails.
    """
    binary = CACHE / f"battlesnake-{pinned_version()}" / "battlesnake"
    if not binary.exists():
        _build(binary)
    return binary


def pinned_version() -> str:
    """The version of the engine that go.mod asks for, without its v."""
    pin = re.search(r"BattlesnakeOfficial/rules v(\S+)", (MODULE / "go.mod").read_text())
    assert pin, "go.mod pins no engine"
    return pin[1]


def _build(binary: Path) -> None:
    go = shutil.which("go")
    if go is None:
        raise GoMissingError("the official engine has to be built, and there is no `go`")
    unfinished = binary.with_suffix(f".{os.getpid()}")
    binary.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([go, "build", "-mod=readonly", "-o", unfinished, PACKAGE], cwd=MODULE, check=True)
    unfinished.rename(binary)
