"""The examples in the help of commands."""

import shlex
from collections.abc import Iterator

import click
import pytest

from battlesnake_search.program import load_command


def commands(
    command: click.Command, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield a command and all below it, each with the words that name it."""
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from commands(child, (*path, name))


EXAMPLES = [
    (" ".join(path), line.strip(), command)
    for package in ("gateway", "searcher", "arena")
    for path, command in commands(load_command(package), (package,))
    for line in (command.epilog or "").splitlines()[2:]
]


def test_most_commands_have_examples() -> None:
    """All that take more than a name."""
    assert len({path for path, *_ in EXAMPLES}) > 20


@pytest.mark.parametrize(("path", "line", "command"), EXAMPLES, ids=[line for _, line, _ in EXAMPLES])
def test_an_example_is_a_command_with_options_that_exist(
    path: str, line: str, command: click.Command
) -> None:
    """It names the command itself, and each option of it."""
    assert line.startswith(f"python -m {path}")
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    assert {word for word in shlex.split(line) if word.startswith("--")} <= known
