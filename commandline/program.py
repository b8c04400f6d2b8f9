"""All commands as one: battlesnake-search, or python -m commandline.program in a checkout."""

from importlib import import_module
from types import MappingProxyType
from typing import NamedTuple

import click

from commandline.launch import Installation, exit_if_missing, launch
from commandline.options import CONTEXT, version_option


class _Listed(NamedTuple):
    """A command: where it is, its line in the help, and how to install what it needs."""

    module: str
    attribute: str
    help: str
    installation: Installation = Installation(extra="", target="run")


_COMMANDS = MappingProxyType(
    {
        "arena": _Listed(
            "arena.commands.main",
            "main",
            "Measure whether one Battlesnake is stronger than another.",
            Installation(extra="arena", target="arena"),
        ),
        "completion": _Listed(
            "commandline.completion",
            "completion",
            "Print what completes commands in a shell.",
        ),
        "gateway": _Listed(
            "gateway.commands.main", "main", "Serve the Battlesnake API with moves from a searcher."
        ),
        "play": _Listed("gateway.commands.play", "play", "Serve a snake, and show its games in a browser."),
        "searcher": _Listed(
            "searcher.commands.main",
            "main",
            "Search Battlesnake positions for the best move.",
            Installation(extra="searcher", target="run"),
        ),
    }
)


class _Commands(click.Group):
    """A group that imports a command when that is used: each needs other packages."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command; None for an unknown one."""
        if name not in _COMMANDS:
            return None
        listed = _COMMANDS[name]
        try:
            command: click.Command = getattr(import_module(listed.module), listed.attribute)
        except ModuleNotFoundError as error:
            program = f"{context.find_root().info_name} {name}"
            exit_if_missing(error, program, f"{_MODULE} {name}", listed.installation)
            raise
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, listed.help) for name, listed in sorted(_COMMANDS.items())])


_MODULE = "commandline.program"


@click.group(cls=_Commands, context_settings=CONTEXT)
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
    launch(_MODULE, _MODULE, Installation(extra="", target="run"))


if __name__ == "__main__":
    run()
