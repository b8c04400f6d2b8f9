"""The gateway's command line: all commands, as one group, which serves if none of them is given."""

from importlib import import_module
from types import MappingProxyType

import click

from access.command import token_command
from commandline.log_options import log_options
from commandline.options import CONTEXT, version_option
from gateway.commands import options
from gateway.commands.options import Settings

_MODULES = MappingProxyType(
    {
        "blunders": "gateway.commands.games.blunders",
        "check": "gateway.commands.check",
        "experiments": "gateway.commands.experiments",
        "games": "gateway.commands.games.games",
        "play": "gateway.commands.play",
        "watch": "gateway.commands.watch",
    }
)
"""The modules of commands, each of which has its command's name."""


class _Commands(click.Group):
    """A group that imports the module of a command when that is used: what serves need not wait for it."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(context), *_MODULES})

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command; None for an unknown one."""
        if name not in self.commands and name in _MODULES:
            self.add_command(getattr(import_module(_MODULES[name]), name))
        return super().get_command(context, name)


@click.group(cls=_Commands, context_settings=CONTEXT, invoke_without_command=True)
@version_option
@options.serving
@log_options
def main(context: click.Context, settings: Settings, log_level: str, log_format: str) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    # Commands that don't serve would wait for this import.
    from gateway.commands.start import start

    start(settings, log_level, log_format)


main.add_command(token_command(has_limits=False))
