"""All commands as one: battlesnake-search, or python -m commandline.program in a checkout."""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

import click

from commandline.groups import LazyGroup
from commandline.launch import INSTALLATIONS, exit_if_missing, launch
from commandline.options import CONTEXT, version_option

_MODULE = "commandline.program"


class _Listed(NamedTuple):
    """A command: the module and the name of it, and its line in the help."""

    module: str
    attribute: str
    help: str


_COMMANDS = MappingProxyType(
    {
        "arena": _Listed(
            "arena.commands.main",
            "main",
            "Measure whether one Battlesnake is stronger than another.",
        ),
        "completion": _Listed(
            "commandline.completion", "completion", "Print what completes commands in a shell."
        ),
        "config": _Listed("commandline.config", "config", "Check a file of settings, and the environment."),
        "gateway": _Listed(
            "gateway.commands.main", "main", "Serve the Battlesnake API with moves from a searcher."
        ),
        "play": _Listed("gateway.commands.play", "play", "Serve a snake, and show its games in a browser."),
        "searcher": _Listed(
            "searcher.commands.main",
            "main",
            "Search Battlesnake positions for the best move.",
        ),
    }
)


def load_command(name: str) -> click.Command:
    """Return a command of this program. Exit and say how to install what it needs, if that is missing."""
    listed = _COMMANDS[name]
    try:
        command: click.Command = getattr(import_module(listed.module), listed.attribute)
    except ModuleNotFoundError as error:
        context = click.get_current_context(silent=True)
        program = context.find_root().info_name if context else _MODULE
        installation = INSTALLATIONS.get(name, INSTALLATIONS["gateway"])
        exit_if_missing(error, f"{program} {name}", f"{_MODULE} {name}", installation)
        raise
    return command


_LOADERS: dict[str, Callable[[], click.Command]] = {name: partial(load_command, name) for name in _COMMANDS}


class _Program(LazyGroup):
    """The group of all commands, which lists them without importing them."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.help) for name, listed in sorted(_COMMANDS.items())])


@click.group(cls=_Program, loaders=_LOADERS, context_settings=CONTEXT)
@version_option
def main() -> None:
    """Play Battlesnake with a search.

    \b
    battlesnake-search play                   serves a snake and shows its games
    battlesnake-search searcher serve         serves searches over gRPC
    battlesnake-search arena match A B        compares two strategies
    """


def run() -> None:
    """Run the command line."""
    launch(_MODULE, _MODULE, INSTALLATIONS["gateway"])


if __name__ == "__main__":
    run()
