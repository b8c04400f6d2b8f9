"""`battlesnake-search new`: makes a package with an evaluator of your own."""

import re
from pathlib import Path

import click

from battlesnake_search.common.cli import examples
from battlesnake_search.common.launch import as_typed
from searcher.commands.new_files import FILES

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
