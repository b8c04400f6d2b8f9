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
