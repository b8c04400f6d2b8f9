"""`python -m arena serve`: serves the matches and reports of a folder."""

import os
from pathlib import Path

import click

from arena.commands.common import EXISTING_FOLDER
from battlesnake_search.common.cli import examples, log_options
from battlesnake_search.common.sockets import UNIX, path_of

_NICENESS = 10


def _read_address(_context: click.Context, _option: click.Parameter, value: str) -> str:
    host, _, port = value.rpartition(":")
    if value.startswith(UNIX) or (host and port.isdecimal() and int(port) < 2**16):
        return value
    raise click.BadParameter(f"{value!r} is neither HOST:PORT nor {UNIX}PATH")


@click.command(
    epilog=examples(
        "python -m arena serve matches",
    )
)
@click.argument("folder", type=EXISTING_FOLDER)
@click.option(
    "--listen",
    callback=_read_address,
    default="127.0.0.1:8002",
    metavar="HOST:PORT|unix:PATH",
    help="Address to listen on.",
)
@log_options
def serve(folder: Path, listen: str, log_level: str, log_format: str) -> None:
    """Serve the matches and reports in FOLDER as JSON.

    A gateway with --arena FOLDER runs this command, and shows the matches and reports on its page Arena.
    """
    from battlesnake_search.common import logs

    logs.configure(log_format, log_level)
    from aiohttp import web

    from arena.serving import Folder, build

    # Games that are being played have precedence.
    os.nice(_NICENESS)
    application = build(Folder(folder))

    def announce(_: str) -> None:
        logs.get_logger(__name__).info(f"serving {folder} on {listen}")

    try:
        if listen.startswith(UNIX):
            web.run_app(application, path=path_of(listen), access_log=None, print=announce)
        else:
            host, _, port = listen.rpartition(":")
            host = host.strip("[]")
            web.run_app(application, host=host, port=int(port), access_log=None, print=announce)
    except OSError as error:
        # The text of asyncio's own errors repeats the address.
        reason = os.strerror(error.errno).lower() if error.errno else error.strerror
        raise click.BadParameter(f"can't listen on {listen}: {reason}", param_hint="'--listen'") from error
