"""The options --time, --depth and --nodes: the limits of a search."""

from collections.abc import Callable
from typing import Any

import click


def limit_options(default_time: str = "", default_nodes: str = "") -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that adds the options. The defaults are what the help shows for them."""

    def add(command: Callable[..., Any]) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    positive = click.IntRange(1)
    options = (
        click.option(
            "--time", "milliseconds", type=positive, help=_help("Milliseconds of search.", default_time)
        ),
        click.option("--depth", type=positive, help="Depth of search in turns."),
        click.option("--nodes", type=positive, help=_help("Nodes to search.", default_nodes)),
    )
    return add


def _help(text: str, default: str) -> str:
    return f"{text}  [default: {default}]" if default else text
