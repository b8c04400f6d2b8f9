"""A base made of Debian's packages, for machines that reach no registry of images."""

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.checks.tools import find_tool
from infra.images.engine import Engine, EngineError

NAME = "localhost/battlesnake-base:bookworm"

_SUITE = "bookworm"
_PACKAGES = ("python3", "python3-venv", "ca-certificates")

_LEFT_OUT = (
    "dev/*",
    "proc/*",
    "sys/*",
    "usr/share/doc/*",
    "usr/share/info/*",
    "usr/share/locale/*",
    "usr/share/man/*",
    "var/cache/apt/archives/*",
    "var/lib/apt/lists/*",
)
"""Paths that the slim images of Debian leave out as well, and paths that an engine fills itself."""

_SETTINGS = (
    "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "ENV LANG=C.UTF-8",
)


def make_base(engine: Engine) -> str:
    """Make the base, unless the engine has it; return its name.

    Raises CannotCheckError if debootstrap is missing, and EngineError if it or the engine fails.
    """
    if not engine.has(NAME):
        tool = find_tool("debootstrap", "on Debian and Ubuntu: apt-get install debootstrap")
        with TemporaryDirectory() as folder:
            if subprocess.run(debootstrap(tool, Path(folder)), check=False).returncode:
                raise EngineError("debootstrap failed; it needs root")
            with subprocess.Popen(packed(Path(folder)), stdout=subprocess.PIPE) as packing:
                engine.run(*imported(), stdin=packing)
    return NAME


def debootstrap(tool: str, folder: Path) -> Sequence[str]:
    """Return the command that installs the packages into a folder."""
    return tool, "--variant=minbase", f"--include={','.join(_PACKAGES)}", _SUITE, str(folder)


def packed(folder: Path) -> Sequence[str]:
    """Return the command that writes the folder as an archive to its standard output."""
    return "tar", "--create", f"--directory={folder}", *(f"--exclude=./{path}" for path in _LEFT_OUT), "."


def imported() -> Iterator[str]:
    """Yield the arguments with which an engine makes an image of such an archive."""
    yield "import"
    for setting in _SETTINGS:
        yield from ("--change", setting)
    yield from ("-", NAME)
