"""Programs built with Go at pinned versions."""

import os
import re
import shutil
import subprocess
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache"
"""The folder in which programs are kept."""


class GoMissingError(RuntimeError):
    """A program is not built yet, and Go is not installed."""


def pinned_version(module: Path, name: str) -> str:
    """Return the version, without its v, of a module that a folder's go.mod pins."""
    pin = re.search(rf"{re.escape(name)} v(\S+)", (module / "go.mod").read_text())
    assert pin, f"go.mod does not pin {name}"
    return pin[1]


def go_build(module: Path, package: str, binary: Path, *options: str) -> None:
    """Build a Go program from the sources that a folder's go.mod and go.sum pin; `options` go to `go build`.

    Raises GoMissingError if Go is missing, and subprocess.CalledProcessError if the build fails.
    """
    go = shutil.which("go")
    if go is None:
        raise GoMissingError(f"building {binary.name} needs `go`, which is missing")
    unfinished = binary.with_suffix(f".{os.getpid()}")
    binary.parent.mkdir(parents=True, exist_ok=True)
    command = [go, "build", "-mod=readonly", *options, "-o", str(unfinished), package]
    # Where Go is older than the go.mod allows, it downloads a newer one, even if CI has forbidden that.
    environment = os.environ | {"GOTOOLCHAIN": "auto"}
    subprocess.run(command, cwd=module, env=environment, check=True)
    unfinished.rename(binary)
