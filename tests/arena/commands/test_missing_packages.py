"""The commands without packages of the extra `arena`, as processes of their own."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

RUN = """
import runpy, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

hidden = sys.argv.pop(1).split(",")
sys.meta_path.insert(0, Hidden())
sys.argv[0] = "__main__.py"
runpy.run_module("arena", run_name="__main__")
"""
"""Runs the arena as if the packages of the first argument, separated by commas, were not installed."""

MATCH = ("match", "paranoid/area", "paranoid/length", "--games", "2", "--nodes", "20", "--size", "7")
GAUNTLET = ("gauntlet", "paranoid/area", "--pool", "greedy", "--games", "2", "--nodes", "20", "--size", "7")
GAMES = ("games", "out", "--players", "greedy", "--games", "1", "--size", "7")
FIT = ("fit", "area", ".", "--output", "best.toml")
OPENINGS = ("openings", "match.jsonl", "--output", "book.jsonl")
REPORT = ("report", "match.jsonl")
SPRT = ("sprt", "3", "2", "1")
TUNE = ("tune", "area", "--output", "best.toml", "--trials", "1", "--pairs", "1", "--final-pairs", "1")


def _packages() -> list[str]:
    """Return the packages of the extra `arena`, by the names that Python imports."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    requirements = project["optional-dependencies"]["arena"]
    names = [re.split(r"[>\[]", requirement)[0].replace("-", "_") for requirement in requirements]
    return [name for name in names if name != "battlesnake_search"]


ALL = _packages()


def _run(folder: Path, hidden: list[str], *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command of the arena without some packages, in a folder with a file named match.jsonl."""
    (folder / "match.jsonl").touch()
    command = [sys.executable, "-c", RUN, ",".join(hidden), *arguments]
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "SEARCHER_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.parametrize(
    ("command", "hidden"),
    [
        *((command, ALL) for command in (MATCH, GAUNTLET, REPORT, SPRT, TUNE, GAMES, FIT)),
        *((MATCH, [name]) for name in ("openskill", "scipy")),
        *((REPORT, [name]) for name in ("jinja2", "markupsafe", "matplotlib", "openskill", "scipy")),
        *((FIT, [name]) for name in ("pyarrow", "scipy", "tomli_w", "jinja2", "matplotlib")),
        (GAMES, ["pyarrow"]),
        *((TUNE, [name]) for name in ("optuna", "sqlalchemy", "tomli_w")),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else ",".join(value),
)
def test_a_missing_package_is_named(tmp_path: Path, command: tuple[str, ...], hidden: list[str]) -> None:
    """Before anything is compiled, played or written, the error names the package and how to install it."""
    done = _run(tmp_path, hidden, *command)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and done.stdout == ""
    assert not any(word in done.stderr for word in ("trial", "blocks", "trying", "compil"))
    [missing] = re.findall(r"python -m arena needs the package (\w+), which", done.stderr)
    assert missing in hidden
    assert "make arena" in done.stderr or ".venv/bin/python -m arena" in done.stderr
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["match.jsonl"]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (OPENINGS, "Error: match.jsonl: the file has no whole line"),
        (("compliance", "http://127.0.0.1:1"), "Error: no snake can be reached"),
    ],
    ids=["openings", "compliance"],
)
def test_some_commands_need_no_extra(tmp_path: Path, command: tuple[str, ...], message: str) -> None:
    """Books of openings and checks of a snake are made with what a searcher needs."""
    assert message in _run(tmp_path, ALL, *command).stderr


@pytest.mark.parametrize(
    "command", [MATCH, GAUNTLET, OPENINGS, REPORT, SPRT, TUNE, GAMES, FIT], ids=lambda command: command[0]
)
def test_help_needs_no_extra(tmp_path: Path, command: tuple[str, ...]) -> None:
    """The help of every command works with what a searcher needs."""
    done = _run(tmp_path, ALL, command[0], "--help")
    assert done.returncode == 0, done.stderr
    assert f"Usage: python -m arena {command[0]} " in done.stdout
