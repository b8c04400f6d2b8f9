"""The gateway's command line: all commands, as one group, which serves if none of them is given."""

import click

from access.command import token_command
from commandline.log_options import log_options
from commandline.options import CONTEXT, version_option
from gateway.commands import options
from gateway.commands.check import check
from gateway.commands.experiments import experiments
from gateway.commands.games.blunders import blunders
from gateway.commands.games.games import games
from gateway.commands.options import Settings
from gateway.commands.watch import watch


@click.group(context_settings=CONTEXT, invoke_without_command=True)
@version_option
@options.serving
@log_options
def main(context: click.Context, settings: Settings, log_level: str, log_format: str) -> None:
    """Serve the Battlesnake API with moves from a searcher.

    On SIGTERM or Ctrl-C, answer the requests in progress and exit.
    """
    if context.invoked_subcommand:
        return
    # Commands that don't serve would wait longer for these imports than for anything else.
    from commandline import logs
    from gateway.commands import log_lines

    logs.configure(log_format, log_level, log_lines.LAYOUTS)
    # This imports gRPC, which reads its log configuration at import.
    from gateway.commands.serve import serve

    serve(settings)


for command in (blunders, check, experiments, games, token_command(has_limits=False), watch):
    main.add_command(command)
