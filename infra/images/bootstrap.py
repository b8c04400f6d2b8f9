"""A base made of Debian's packages, for machines that reach no registry of images."""

import subprocess
from collections.abc import Iterator, Sequence

from infra.checks.tools import find_tool
from infra.images.engine import Engine, EngineError

NAME = "localhost/battlesnake-base:bookworm"

_SUITE = "bookworm"
_PACKAGES = ("python3", "python3-venv", "ca-certificates")

_LEFT_OUT = ("doc", "info", "locale", "man")
"""Folders of /usr/share that the slim images of Debian leave out as well."""

_SETTINGS = (
    "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "ENV LANG=C.UTF-8",
)


def make_base(engine: Engine) -> str:
    """Make the base, unless the engine has it; return its name.

    Raises CannotCheckError if mmdebstrap is missing, and EngineError if it or the engine fails.
    """
    if not engine.has(NAME):
        tool = find_tool("mmdebstrap", "on Debian and Ubuntu: apt-get install mmdebstrap")
        with subprocess.Popen(packages(tool), stdout=subprocess.PIPE) as packing:
            engine.run(*imported(), stdin=packing)
        if packing.returncode:
            raise EngineError("mmdebstrap failed; it needs root")
    return NAME


def packages(tool: str) -> Sequence[str]:
    """Return the command that writes an archive of installed packages to its standard output."""
    return (
        tool,
        "--variant=apt",
        f"--include={','.join(_PACKAGES)}",
        # An engine fills this folder itself.
        "--skip=output/dev",
        # A build that is interrupted begins again, so nothing has to reach the disk early.
        "--dpkgopt=force-unsafe-io",
        *(f"--dpkgopt=path-exclude=/usr/share/{folder}/*" for folder in _LEFT_OUT),
        _SUITE,
        "-",
    )


def imported() -> Iterator[str]:
    """Yield the arguments with which an engine makes an image of such an archive."""
    yield "import"
    for setting in _SETTINGS:
        yield from ("--change", setting)
    yield from ("-", NAME)
