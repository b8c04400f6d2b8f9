"""The contents of a bundle: Python, the system's libraries that it loads, and the packages that play."""

import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib.metadata import Distribution, PackageNotFoundError, distribution, entry_points
from importlib.util import find_spec
from pathlib import Path

from searcher.plugins.discovery import GROUP

LIBRARIES = Path("lib") / "system"
"""The folder of a bundle with the interpreter, its loader and the system's libraries."""

_INTERPRETER, _LOADER = LIBRARIES / "python", LIBRARIES / "loader"

_LEFT_OUT = (
    *("__pycache__", "config-*", "dist-packages", "ensurepip", "idlelib", "lib2to3", "pydoc_data"),
    *(
        "site-packages",
        "sqlite3",
        "_sqlite3*",
        "test",
        "_test*",
        "tests",
        "_tkinter*",
        "tkinter",
        "turtledemo",
    ),
)
"""Patterns of the standard library's files and folders that no gateway or searcher imports."""

_RESOLVED = re.compile(r"^\s*(?:\S+ => )?(/.+?|not found)(?: \(0x[0-9a-f]+\))?$", re.MULTILINE)
"""A line of ldd with a library's path."""

_LAUNCHER = f"""\
#!/bin/sh
# The Python of this bundle. It runs with the C library of the bundle, whatever the machine has.
bundle=${{0%/*}}/..
unset LD_PRELOAD PYTHONHOME
export PYTHONPATH="$bundle/lib/packages" PYTHONSAFEPATH=1 PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1
exec "$bundle/{_LOADER}" --inhibit-cache --library-path "$bundle/{LIBRARIES}" --argv0 "$0" \\
  "$bundle/{_INTERPRETER}" "$@"
"""


def copy_python(bundle: Path) -> None:
    """Copy the interpreter and the standard library of this process. Raises OSError."""
    library = Path(sysconfig.get_path("stdlib"))
    ignored = shutil.ignore_patterns(*_LEFT_OUT)
    shutil.copytree(library, bundle / sys.platlibdir / library.name, ignore=ignored)
    (bundle / LIBRARIES).mkdir(parents=True)
    (bundle / "bin").mkdir()
    # In an environment, the executable is a link.
    shutil.copy(Path(sys.executable).resolve(), bundle / _INTERPRETER)


def copy_libraries(bundle: Path) -> None:
    """Copy the system's libraries that the bundle's files load, and their loader. Raises OSError.

    An extension of the standard library that lacks a library on this machine is removed.
    """
    for file in (bundle / _INTERPRETER, *bundle.glob("lib*/**/*.so")):
        for path in _needed(file):
            if path == "not found":
                file.unlink(missing_ok=True)
            elif not Path(path).is_relative_to(bundle):
                # The name of the loader differs by architecture, such as ld-linux-x86-64.so.2.
                name = Path(path).name
                shutil.copy(path, bundle / (_LOADER if name.startswith("ld-") else LIBRARIES / name))


def write_launcher(bundle: Path) -> Path:
    """Write the program `bin/python`, and return it. Raises OSError."""
    launcher = bundle / "bin" / "python"
    launcher.write_text(_LAUNCHER)
    launcher.chmod(0o755)
    return launcher


def _needed(file: Path) -> list[str]:
    """Return the path, or `not found`, of each library that a program or library loads."""
    done = subprocess.run(["ldd", file], capture_output=True, text=True, check=False)
    return _RESOLVED.findall(done.stdout)


PACKAGES = Path("lib") / "packages"
"""The folder of a bundle with the packages."""

_PROJECT, _EXTRA = "battlesnake-search", "searcher"

_OURS = ("battlesnake_search", "searcher", "gateway")
"""The packages of this project that play. They may be those of a checkout."""


def copy_packages(bundle: Path) -> None:
    """Copy the packages, and the installed packages with evaluators. Raises OSError."""
    plugins = entry_points(group=GROUP)
    for name in dict.fromkeys((*_OURS, *(entry.module.partition(".")[0] for entry in plugins))):
        _copy_sources(name, bundle / PACKAGES)
    names = (_PROJECT, *(entry.dist.name for entry in plugins if entry.dist))
    for each in needed_distributions(names).values():
        for file in each.files or ():
            # An editable package has its sources elsewhere. Programs are in a folder beside the packages.
            if file.parts[0] != ".." and "__pycache__" not in file.parts and file.suffix != ".pth":
                target = bundle / PACKAGES / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(each.locate_file(file)), target)


def _copy_sources(name: str, folder: Path) -> None:
    spec = find_spec(name)
    assert spec is not None and spec.origin is not None
    source = Path(spec.origin)
    if spec.submodule_search_locations is None:
        shutil.copy(source, folder)
    else:
        shutil.copytree(source.parent, folder / name, ignore=shutil.ignore_patterns("__pycache__"))


def needed_distributions(names: Iterable[str]) -> dict[str, Distribution]:
    """Return the distributions of these names and all that they need, by name.

    A requirement that is not installed is not needed on this machine.
    """
    found: dict[str, Distribution] = {}
    waiting = [*names]
    while waiting:
        name = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        with suppress(PackageNotFoundError):
            if name not in found:
                found[name] = distribution(name)
                waiting += _needs(found[name], _EXTRA if name == _PROJECT else "")
    return found


def _needs(package: Distribution, extra: str) -> Iterator[str]:
    """Yield the names of a distribution's requirements, without those of extras other than one."""
    for requirement in package.requires or ():
        specified, _, marker = requirement.partition(";")
        if "extra" not in marker or (extra and re.search(rf"""extra == ["']{extra}["']""", marker)):
            yield re.split(r"[^\w.-]", specified, maxsplit=1)[0]
