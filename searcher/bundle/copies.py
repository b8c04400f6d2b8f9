"""The Python of a bundle: the interpreter, the standard library and the system's libraries they load."""

import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

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
