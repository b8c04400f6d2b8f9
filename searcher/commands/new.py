"""`battlesnake-search new`: makes a package with an evaluator of your own."""

import re
from pathlib import Path

import click

from battlesnake_search.common.cli import examples
from battlesnake_search.common.launch import as_typed

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@click.group()
def new() -> None:
    """Make a package with an evaluator of your own."""


@new.command(
    epilog=examples("battlesnake-search new evaluator hugger", "battlesnake-search new evaluator hugger -o .")
)
@click.argument("name")
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    show_default="NAME",
    help="The folder of the package. It must be empty or missing.",
)
def evaluator(name: str, output: Path | None) -> None:
    """Make a package with an evaluator of this NAME, a test, and a route that compares two versions of it.

    The evaluator plays at once: it compares territories and lengths.
    """
    if not _NAME.fullmatch(name):
        raise click.BadParameter(
            f"must be small letters, digits and '_', beginning with a letter, not {name!r}",
            param_hint="NAME",
        )
    _check_is_free(name)
    folder = output or Path(name)
    try:
        if folder.is_dir() and any(folder.iterdir()):
            raise click.BadParameter(f"{folder} is not empty; name another folder", param_hint="--output")
        for path, text in FILES.items():
            file = folder / path.format(name=name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(_filled(text, name, folder))
    except OSError as error:
        reason = f"can't write {error.filename or folder}: {error.strerror}"
        raise click.BadParameter(reason, param_hint="--output") from None
    click.echo(f"{folder} has the evaluator {name}. Next:")
    following = _NEXT.replace("PIP", as_typed("pip")).replace("PROGRAM", as_typed("battlesnake-search"))
    click.echo(_filled(following, name, folder).rstrip())


_NEXT = """\
  PIP install --editable FOLDER
  PROGRAM searcher try NAME
  PROGRAM play --strategy paranoid/NAME --watch
"""


def _check_is_free(name: str) -> None:
    """Raise click.BadParameter if there is an evaluator of this name."""
    # This imports the evaluators.
    from searcher.strategies import evaluators, faults

    taken = sorted({*evaluators(), *(fault.evaluator for fault in faults())})
    if name in taken:
        raise click.BadParameter(f"{name!r} is taken; taken names: {', '.join(taken)}", param_hint="NAME")


def _filled(text: str, name: str, folder: Path) -> str:
    """Return the text of a file for an evaluator."""
    shown = str(folder) if folder.is_absolute() or str(folder) == "." else f"./{folder}"
    return text.replace("NAME", name).replace("FOLDER", shown)


_PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "NAME-snake"
version = "0.1.0"
description = "An evaluator for Battlesnake search."
requires-python = ">=3.11"

# Another evaluator needs a line here. Install the package again after a change of this table.
[project.entry-points."battlesnake.evaluators"]
NAME = "NAME_snake.NAME"

[tool.setuptools]
packages = ["NAME_snake"]

[tool.pytest.ini_options]
testpaths = ["tests"]
"""

_EVALUATOR = '''\
"""The evaluator NAME."""

from searcher.toolkit import Weight, area, longest_other

DESCRIPTION = "My share of the cells that anyone reaches first, and my lead in length."

WEIGHTS = (
    Weight("share", 0.6, 0.0, 1.0, "of that share"),
    Weight("lead", 0.4, 0.0, 1.0, "of my length less the longest opponent's, by the sum of both"),
)
SHARE, LEAD = range(len(WEIGHTS))


def evaluate(game, board, weights, snake):
    """Return the value of the board for a living snake, from -1 (lost) to 1 (won)."""
    mine, theirs = area(game, board, snake)
    share = (mine - theirs) / (mine + theirs)
    length, longest = board.length[snake], longest_other(board, snake)
    lead = (length - longest) / (length + longest)
    return weights.values[SHARE] * share + weights.values[LEAD] * lead
'''

_TEST = '''\
"""The evaluator NAME is one that a search can use."""

import json
import subprocess
import sys


def test_it_passes_its_trial() -> None:
    """It plays in every ruleset, with long snakes and on full boards, and has no warning."""
    command = [sys.executable, "-m", "searcher", "try", "NAME", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout) is None, done.stdout
'''

_ROUTES = """\
# An A/B test: each game draws one of the two arms at random.

[[snakes]]
path = "/"
experiment = "NAME-or-without-lead"

[[snakes.arms]]
name = "NAME"
control = true
strategy = "paranoid/NAME"

[[snakes.arms]]
name = "without-lead"
strategy = "paranoid/NAME"
evaluator_weights = { lead = 0 }
"""

_README = """\
# NAME

An evaluator for Battlesnake search, in [NAME_snake/NAME.py](NAME_snake/NAME.py). These commands need the
environment of Battlesnake search. In a checkout, `source .venv/bin/activate` activates this environment.

```sh
pip install --editable FOLDER                                # once
battlesnake-search searcher try NAME                         # errors, warnings and speed
battlesnake-search play --strategy paranoid/NAME --watch     # plays, also each version that you save
battlesnake-search arena match paranoid/NAME paranoid/area   # is it stronger?
battlesnake-search play --routes FOLDER/routes.toml          # an A/B test in real games
pip install pytest && python -m pytest FOLDER
```
"""

FILES = {
    "pyproject.toml": _PYPROJECT,
    "README.md": _README,
    "routes.toml": _ROUTES,
    "{name}_snake/__init__.py": '"""The evaluator NAME."""\n',
    "{name}_snake/{name}.py": _EVALUATOR,
    "tests/test_{name}.py": _TEST,
}
"""The text of each file, by its path in the folder. NAME stands for the evaluator, FOLDER for the folder."""
