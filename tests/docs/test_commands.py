"""The commands on the pages: each one exists, with the options that it is given there."""

import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator, Sequence

import click
import pytest

from tests.docs.blocks import blocks
from tests.docs.pages import ROOT, code_blocks, commands, every_page, inline_code

MODULES = {name: f"{name}.commands.main" for name in ("arena", "console", "gateway", "searcher")}
"""The modules of the packages' commands, each of which has its command as `main`."""

PROGRAMS = {f"battlesnake-{name}": module for name, module in MODULES.items()}
PROGRAMS["battlesnake-search"] = "battlesnake_search.program"
"""The same for the installed programs."""

TARGETS_WITH_ARGS = {"arena": ["arena"], "bench": ["searcher", "bench"]}
"""The commands to which these targets of the Makefile pass ARGS on."""

MAKEFILE = (ROOT / "Makefile").read_text()
TARGETS = set(re.findall(r"^([\w./-]+):", MAKEFILE, re.MULTILINE))


def faults(command: Sequence[str]) -> Iterator[str]:
    """Yield what does not exist of a command, if it is one of this project."""
    for place, word in enumerate(command):
        program = word.rpartition("/")[2]
        rest = command[place + 1 :]
        if program in PROGRAMS:
            yield from _faults(PROGRAMS[program], rest)
        elif program.startswith("python") and rest[:1] == ["-m"] and len(rest) > 1:
            yield from _faults_of_module(rest[1], rest[2:])
        elif program == "make" and place == 0:
            yield from _faults_of_make(rest)
        else:
            continue
        return


def _faults_of_module(name: str, arguments: Sequence[str]) -> Iterator[str]:
    if not (ROOT / name.partition(".")[0]).is_dir():
        return
    found = importlib.util.find_spec(name)
    if found is None:
        yield f"there is no module {name}"
        return
    inside = f"{name}.__main__" if found.submodule_search_locations is not None else name
    yield from _faults(MODULES.get(name, inside), arguments)


def _faults(module: str, arguments: Sequence[str]) -> Iterator[str]:
    """Yield what a module's command does not know. Modules without a command of click know anything."""
    command = getattr(importlib.import_module(module), "main", None)
    if isinstance(command, click.Command):
        try:
            _parse(command, list(arguments))
        except click.UsageError as error:
            yield error.format_message()


def _parse(command: click.Command, arguments: list[str]) -> None:
    """Read arguments without running anything. Raises UsageError for an unknown option or command."""
    context = click.Context(command)
    _, rest, _ = command.make_parser(context).parse_args(arguments)
    if isinstance(command, click.Group) and rest:
        inner = command.get_command(context, rest[0])
        if inner is None:
            raise click.UsageError(f"{command.name} has no command {rest[0]}")
        _parse(inner, rest[1:])


def _faults_of_make(words: Sequence[str]) -> Iterator[str]:
    targets = [word for word in words if not re.match(r"\w+=|-", word)]
    yield from (f"there is no target {target}" for target in targets if target not in TARGETS)
    for word in words:
        if word.startswith("ARGS=") and targets and targets[0] in TARGETS_WITH_ARGS:
            arguments = [*TARGETS_WITH_ARGS[targets[0]], *shlex.split(word.removeprefix("ARGS="))]
            yield from _faults_of_module(arguments[0], arguments[1:])


@pytest.mark.parametrize("page", every_page())
def test_every_command_of_a_page_exists(page: str) -> None:
    """Modules, commands, options and targets in blocks and lines are real, as those that tests run."""
    shells = (block for block in blocks((ROOT / page).read_text()) if block.is_shell)
    ran = [command.code for block in shells for command in block.commands()]
    texts = [*code_blocks(page, "sh"), *inline_code(page), *ran]
    wrong = [
        f"{' '.join(command)}: {fault}"
        for text in texts
        for command in commands(text)
        for fault in faults(command)
    ]
    assert wrong == []
