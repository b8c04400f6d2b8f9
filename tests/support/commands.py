"""Calls of commands in the process of the tests, if the process itself is not under test."""

from pathlib import Path

import click
from click.testing import CliRunner, Result


def called(command: click.Command, *arguments: str | Path, **environment: str) -> Result:
    """Call a command with these arguments and further environment variables.

    Raises the errors that would end a process with a traceback.
    """
    result = CliRunner().invoke(command, [*map(str, arguments)], env=environment)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
