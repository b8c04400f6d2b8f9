"""The official Battlesnake engine, built with Go at a pinned version and kept in `.cache`."""

import os
import re
import shutil
import subprocess
from pathlib import Path

MODULE = Path(__file__).parent / "engine"
"""The folder of the go.mod that pins the engine and of the go.sum with the checksums of its sources."""

PACKAGE = "github.com/BattlesnakeOfficial/rules/cli/battlesnake"

CACHE = Path(__file__).parents[2] / ".cache"


class GoMissingError(RuntimeError):
    """The engine is not built yet, and Go is not installed."""


def build_official_engine() -> Path:
    """Return the path of the engine's binary; build it on the first call.

    Raises GoMissingError if Go is missing, and subprocess.CalledProcessError if the build fails.
    """
    binary = CACHE / f"battlesnake-{pinned_version()}" / "battlesnake"
    if not binary.exists():
        _build(binary)
    return binary


def pinned_version() -> str:
    """Return the version of the engine in go.mod, without its v."""
    pin = re.search(r"BattlesnakeOfficial/rules v(\S+)", (MODULE / "go.mod").read_text())
    assert pin, "go.mod pins no engine"
    return pin[1]


def _build(binary: Path) -> None:
    go = shutil.which("go")
    if go is None:
        raise GoMissingError("building the official engine needs `go`, which is missing")
    unfinished = binary.with_suffix(f".{os.getpid()}")
    binary.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([go, "build", "-mod=readonly", "-o", unfinished, PACKAGE], cwd=MODULE, check=True)
    unfinished.rename(binary)
