"""Locks every version with its hashes: python -m infra.supply.lock [--upgrade].

Each file of requirements/ has the packages of one installation. All files have the versions of checks.txt,
because checks.txt has every package. Without --upgrade the locked versions stay as far as pyproject.toml
allows.
"""

import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from infra.checks.tools import find_tool

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "requirements"

EVERYTHING = "checks"

INSTALLATIONS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        EVERYTHING: ("checks",),
        "dev": ("dev",),
        "arena": ("arena", "experiments", "postgres"),
        "compile": ("compile",),
        "runtime": ("compile", "experiments", "postgres"),
        "snake": ("searcher", "experiments", "postgres", "tracing"),
        "searcher": ("searcher", "tracing"),
        "gateway": ("tracing",),
        "console": ("experiments", "postgres", "tracing"),
        "function": ("searcher", "functions"),
        "docs": ("docs",),
        "cluster": ("ray",),
    }
)
"""The extras of each installation. The first one contains all others."""

FURTHER: Mapping[str, Sequence[str]] = MappingProxyType({"cluster": ("ray[default]",)})
"""Further requirements of an installation: the head of a Ray cluster takes jobs by Ray's extra `default`."""


def main() -> None:
    """Write all files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    upgrade = [argument for argument in sys.argv[1:] if argument == "--upgrade"]
    building = project["build-system"]["requires"]
    for name, extras in INSTALLATIONS.items():
        # Installations that install an editable project or build a wheel with code need the build tools, too.
        built = building if name in (EVERYTHING, "dev", "arena", "cluster", "runtime", "compile") else ()
        limits = [] if name == EVERYTHING else ["--constraints", str(FOLDER / f"{EVERYTHING}.txt")]
        options = [f"--extra={extra}" for extra in extras]
        _compile(name, ["pyproject.toml", "-"], [*built, *FURTHER.get(name, ())], *options, *limits, *upgrade)
    everything = ["--constraints", str(FOLDER / f"{EVERYTHING}.txt")]
    _compile("build", ["-"], building, *everything, *upgrade)
    _compile("uv", ["-"], ["uv"], *everything, *upgrade)
    # A linker for machines that lack one. Without a linker, each process would compile its code again.
    _compile("linker", ["-"], ["ziglang"], *upgrade)
    _compile("protoc", ["-"], [f"grpcio-tools=={_generator(project)}"], *upgrade)


def _generator(project: Mapping[str, Any]) -> str:
    """Return the version of the generator: the oldest grpcio that is supported."""
    floors = [line for line in project["project"]["dependencies"] if line.startswith("grpcio>=")]
    return str(floors[0]).removeprefix("grpcio>=")


def _compile(name: str, sources: Sequence[str], lines: Sequence[str], *options: str) -> None:
    """Resolve for all supported versions of Python and all systems at once."""
    path = FOLDER / f"{name}.txt"
    command = [find_tool("uv", "`make lock` installs it"), "pip", "compile", "--quiet", "--universal"]
    command += ["--generate-hashes", "--no-annotate", "--no-header", "--python-version=3.11"]
    subprocess.run(
        [*command, f"--output-file={path}", *options, *sources],
        cwd=ROOT,
        input="\n".join(lines),
        text=True,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    print(f"{path.relative_to(ROOT)}: {path.read_text().count('==')} packages")


if __name__ == "__main__":
    main()
