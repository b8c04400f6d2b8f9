"""Options that several commands have, as their help shows them and as they are read."""

import re

import pytest
from click.testing import CliRunner

from arena.commands.main import main

WRITING = ("match", "gauntlet", "report", "tune")
"""The commands that write a file."""


def _help(command: str) -> str:
    """The help of a command, with single spaces."""
    result = CliRunner().invoke(main, [command, "--help"])
    assert result.exit_code == 0
    return " ".join(result.output.split())


@pytest.mark.parametrize("command", WRITING)
def test_a_file_to_write_is_the_output(command: str) -> None:
    """Each command that writes a file has -o and --output for it, and no other name in its help."""
    shown = _help(command)
    assert "-o, --output " in shown
    assert not re.search(r"--(json|out|html)\b", shown)


@pytest.mark.parametrize("command", [*WRITING, "sprt", "compliance"])
def test_defaults_are_shown_once(command: str) -> None:
    """An option's help ends with one pair of brackets, and none shows an empty default."""
    shown = _help(command)
    assert not re.search(r"\] +\[", shown)
    assert '""' not in shown and "default: None" not in shown


def test_the_list_of_commands_is_not_cut_off() -> None:
    """Each command is described in one whole line of 80 columns."""
    commands = CliRunner().invoke(main, ["--help"]).output.partition("Commands:\n")[2].splitlines()
    assert len(commands) == len(main.commands)
    assert all(line[-1] in ".?" and not line.endswith("...") for line in commands)
