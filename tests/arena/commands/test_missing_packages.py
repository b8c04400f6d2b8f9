"""The commands without packages of the extra `arena`, in processes without these packages."""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]

RUN = """
import contextlib, io, json, runpy, sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

hidden, commands = json.loads(sys.argv[1])
sys.meta_path.insert(0, Hidden())
ends = []
for command in commands:
    sys.argv = ["__main__.py", *command]
    output, error, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(error):
        try:
            runpy.run_module("arena", run_name="__main__")
        except SystemExit as end:
            code = end.code
    # As at the end of a process: a text is an error.
    if isinstance(code, str):
        error.write(code)
        code = 1
    ends.append((code or 0, output.getvalue(), error.getvalue()))
print(json.dumps(ends))
"""
"""Runs commands of the arena one after the other, as if some packages were not installed."""

MATCH = ("match", "paranoid/area", "paranoid/length", "--games", "2", "--nodes", "20", "--size", "7")
GAUNTLET = ("gauntlet", "paranoid/area", "--pool", "greedy", "--games", "2", "--nodes", "20", "--size", "7")
GAMES = ("games", "out", "--players", "greedy", "--games", "1", "--size", "7")
FIT = ("fit", "area", ".", "--output", "best.toml")
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


class End(NamedTuple):
    """The end of a command."""

    code: int
    output: str
    error: str


def _run(folder: Path, hidden: Sequence[str], commands: Sequence[Sequence[str]]) -> list[End]:
    """Run commands without some packages, in a folder with a file named match.jsonl. Return their ends."""
    (folder / "match.jsonl").touch()
    environment = {"PYTHONPATH": str(ROOT), "PATH": "", "SEARCHER_CACHE_DIR": str(folder / "cache")}
    done = subprocess.run(
        [sys.executable, "-c", RUN, json.dumps((hidden, commands))],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [End(*end) for end in json.loads(done.stdout)]


@pytest.mark.parametrize(
    ("hidden", "commands"),
    [
        (ALL, [MATCH, GAUNTLET, REPORT, SPRT, TUNE, GAMES, FIT]),
        (["scipy"], [MATCH, REPORT, FIT]),
        (["tomli_w"], [FIT, TUNE]),
    ],
    ids=lambda value: ",".join(value) if isinstance(value[0], str) else "",
)
def test_a_missing_package_is_named(tmp_path: Path, hidden: list[str], commands: list[list[str]]) -> None:
    """Before anything is compiled, played or written, the error names the package and how to install it."""
    for done in _run(tmp_path, hidden, commands):
        assert done.code == 1
        assert done.output == ""
        assert not any(word in done.error for word in ("trial", "blocks", "trying", "compil"))
        [missing] = re.findall(r"python -m arena needs the package (\w+), which", done.error)
        assert missing in hidden
        assert "make arena" in done.error or ".venv/bin/python -m arena" in done.error
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["match.jsonl"]


def test_compliance_and_help_need_no_extra(tmp_path: Path) -> None:
    """A snake is checked with what a searcher needs, and the help of every command works with it."""
    names = [command[0] for command in (MATCH, GAUNTLET, REPORT, SPRT, TUNE, GAMES, FIT)]
    commands = [("compliance", "http://127.0.0.1:1"), *((name, "--help") for name in names)]
    compliance, *others = _run(tmp_path, ALL, commands)
    assert "Error: no snake can be reached" in compliance.error
    for name, done in zip(names, others, strict=True):
        assert done.code == 0, done.error
        assert f"Usage: python -m arena {name} " in done.output
