"""The start of a command line, with a clear error if a package is missing that an extra installs.

Imports nothing but the standard library, since click may be what is missing.
"""

import sys
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

_CHECKOUT = Path(__file__).resolve().parents[1]
_PYTHON = Path(".venv") / "bin" / "python"


class Installation(NamedTuple):
    """How to install what a command line needs: by an extra of this project, or in a checkout by make."""

    extra: str
    target: str


def launch(package: str, module: str, installation: Installation) -> None:
    """Run `main` of a module as `python -m package`.

    If it needs a package that is not installed, exit with 1 and say how to install it.
    """
    try:
        import_module(module).main(prog_name=f"python -m {package}")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if (_CHECKOUT / missing).is_dir():
            raise
        sys.exit(_explanation(package, missing, installation))


def _explanation(package: str, missing: str, installation: Installation) -> str:
    return (
        f"python -m {package} needs the package {missing}, which {sys.executable} does not have.\n"
        f"{_remedy(package, installation)}"
    )


def _remedy(package: str, installation: Installation) -> str:
    if not (_CHECKOUT / "Makefile").is_file():
        extra = f"[{installation.extra}]" if installation.extra else ""
        return f"Install it with: pip install 'battlesnake-search{extra}'"
    python = _CHECKOUT / _PYTHON
    if python.exists() and Path(sys.prefix) != python.parents[1]:
        return f"Run {_PYTHON} -m {package}, which has the project's packages."
    return f"Install it with: make {installation.target}"
