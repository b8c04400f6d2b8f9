"""The options of the commands that log: --log-level and --log-format."""

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")

_Command = TypeVar("_Command", bound=Callable[..., Any])


class _Format(click.Choice[str]):
    """One of FORMATS; `console` is another word for text."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        """Return the format that a word stands for."""
        return "text" if choice == "console" else super().normalize_choice(choice, ctx)


def log_options(command: _Command) -> _Command:
    """Add --log-level and --log-format to a command, as its parameters `log_level` and `log_format`."""
    level = click.option(
        "--log-level",
        type=click.Choice(LEVELS, case_sensitive=False),
        default="info",
        envvar="LOG_LEVEL",
        show_envvar=True,
        help="Least severe events to log.",
    )
    form = click.option(
        "--log-format",
        type=_Format(FORMATS),
        default=lambda: "text" if sys.stderr.isatty() else "json",
        show_default="text on a terminal, else json",
        envvar="LOG_FORMAT",
        show_envvar=True,
        help="Format of the log on standard error.",
    )
    return level(form(command))


def share(form: str, level: str) -> None:
    """Make the processes that this one starts log in the same way, unless their options say otherwise."""
    os.environ.update(LOG_FORMAT=form, LOG_LEVEL=level)
