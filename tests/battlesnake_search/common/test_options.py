"""Options that every command line has."""

import subprocess
import sys
from importlib.metadata import version

import pytest

from searcher.engine.jit.code_cache import origin


def output(*arguments: str) -> str:
    """Return what a command prints on standard output."""
    ended = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=60, check=True
    )
    return ended.stdout


@pytest.mark.parametrize("package", ["gateway", "arena"])
def test_the_version(package: str) -> None:
    """--version prints the command and the installed version."""
    assert output(package, "--version") == f"python -m {package} {version('battlesnake-search')}\n"


def test_the_version_of_a_searcher() -> None:
    """--version also says what code the searches run."""
    printed = output("searcher", "--version")
    assert printed == f"python -m searcher {version('battlesnake-search')}, code {origin()}\n"


@pytest.mark.parametrize(
    "command",
    [
        ("gateway",),
        ("gateway", "experiments"),
        ("searcher",),
        ("searcher", "serve"),
        ("searcher", "tictactoe"),
        ("arena",),
        ("arena", "match"),
        ("arena", "sprt"),
        ("benchmarks.load",),
    ],
)
def test_short_help(command: tuple[str, ...]) -> None:
    """-h and --help print the same."""
    assert output(*command, "-h") == output(*command, "--help")
    assert "Usage: " in output(*command, "-h")
