"""The start of a command line. It names each missing package and the extra that installs it.

Needs only the standard library, because click may be missing.
"""

import errno
import os
import sys
from importlib import import_module
from pathlib import Path

from battlesnake_search.common.terminal import protect

_CHECKOUT = Path(__file__).resolve().parents[2]
_OLDEST = (3, 11)
"""The oldest Python that has the standard library's modules that this project needs."""

_PYTHON = Path(".venv") / "bin" / "python"


EXTRAS = {"gateway": "", "console": "outcomes", "searcher": "searcher", "arena": "arena", "new": "compile"}
"""The extra that each package, and the command `new`, needs."""

_PROJECT = "battlesnake-search"


def launch(package: str, module: str, extra: str) -> None:
    """Run `main` of a module, as `python -m package` or as an installed command.

    If Python is too old, exit with 1. If a needed package is missing, exit with 1 and print the command that
    installs it. Without a folder for sockets, exit with 2. If a disk is full, exit with 1.
    """
    trim_environment()
    quiet_grpc()
    protect()
    program = _program(package)
    if sys.version_info < _OLDEST:
        print(f"{program} needs Python 3.11 to 3.14, and {sys.executable} is older.", file=sys.stderr)
        sys.exit(1)
    try:
        import_module(module).main(prog_name=program)
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if (_CHECKOUT / missing).is_dir():
            raise
        lacks = f"{program} needs the package {missing}, which {sys.executable} does not have."
        sys.exit(f"{lacks}\n{_remedy(package, extra)}")
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        print(f"{program}: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        # Python would try once more to write the output, and report the same error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        # Only errors wait for this import.
        from battlesnake_search.common.sockets import FolderError

        if not isinstance(error, FolderError):
            raise
        print(f"{program}: {error}", file=sys.stderr)
        sys.exit(2)


def quiet_grpc() -> None:
    """Turn off the log of gRPC's core, unless GRPC_VERBOSITY is set. Call it before gRPC is imported.

    It has a format of its own, and callers can fill it: each refused certificate, and each call with too much
    metadata, is a line.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def trim_environment() -> None:
    """Remove the spaces and newlines at both ends of the environment's values, as files and forms leave them.

    This is for all variables, because libraries and child processes read some of them.
    """
    for name, value in os.environ.items():
        if value != value.strip():
            os.environ[name] = value.strip()


def _program(package: str) -> str:
    """Return the beginning of the command line: the interpreter and the package, or an installed script."""
    called = Path(sys.argv[0]).name
    return f"python -m {package}" if called.endswith(".py") else called


def as_typed(program: str) -> str:
    """Return a program of this environment as its user types it: its name, or its path if PATH lacks it."""
    # Only hints wait for this import.
    from shutil import which

    file = Path(sys.executable).with_name(program)
    if which(program) == str(file) or not file.exists():
        return program
    return str(file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file)


def _remedy(package: str, extra: str) -> str:
    if not (_CHECKOUT / "Makefile").is_file():
        return f"Install it with: {pip_install(extra)}"
    python = _CHECKOUT / _PYTHON
    if python.exists() and Path(sys.prefix) != python.parents[1]:
        return f"Run {_PYTHON} -m {package}, which has the project's packages."
    return f"Install it with: make {'arena' if extra == 'arena' else 'run'}"


def pip_install(extra: str) -> str:
    """Return the command that adds an extra of this project to its installation; empty for no extra."""
    command, source = _installation()
    return f"{command} '{source}[{extra}]'" if extra else f"{command} '{source}'"


def _installation() -> tuple[str, str]:
    """Return the command of an installation, and what it installs.

    It installs the project's name, or the file or checkout of this installation, if that is still there.
    """
    # Only errors wait for these imports.
    import json
    from importlib.metadata import PackageNotFoundError, distribution
    from urllib.parse import unquote, urlsplit

    try:
        origin = json.loads(distribution(_PROJECT).read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        return "pip install", _PROJECT
    path = unquote(urlsplit(origin.get("url", "")).path)
    if origin.get("dir_info", {}).get("editable") and Path(path).is_dir():
        # Another pip would install into another Python.
        return f"{as_typed('pip')} install --editable", path
    is_file = "archive_info" in origin and Path(path).is_file()
    return "pip install", path if is_file else _PROJECT
