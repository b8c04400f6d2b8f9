"""The command line: python -m console watch."""

import asyncio

import click

from battlesnake_search.common.cli import examples, variable_option
from battlesnake_search.common.launch import pip_install
from battlesnake_search.ports.admin_address import DEFAULT_PORT, LOOPBACK

_URL = f"http://{LOOPBACK}:{DEFAULT_PORT}"
"""The console of a gateway without options."""


@click.command(
    epilog=examples(
        "python -m console watch",
        "python -m console watch --port 8080",
    )
)
@click.argument("game", required=False)
@click.option(
    "--admin", "url", default=None, show_default=_URL, metavar="URL", help="Address of the gateway's console."
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="PORT",
    help="Port of a gateway of this machine, to watch the console that it runs.",
)
@variable_option(
    "--token",
    default="",
    show_default=False,
    envvar="ADMIN_TOKEN",
    metavar="NAME.SECRET",
    help="Token, if the console requires one. Other users can read an option but no variable.",
)
def watch(game: str | None, url: str | None, port: int | None, token: str) -> None:
    """Show a live game on the terminal: the board, the snakes, and the last decisions.

    GAME is the game's id. Without it, the command shows the newest running game, or waits for the next game.
    It ends when the game ends.
    """
    if url and port:
        raise click.UsageError("give either --admin or --port")
    url = url or (_address_of(port) if port else _URL)
    try:
        from battlesnake_search.common.console import Console
    except ModuleNotFoundError:
        raise click.ClickException(f"rich is not installed: run {pip_install('experiments')}") from None

    from console.commands.watching import ConsoleError
    from console.commands.watching import watch as show

    try:
        address = url if "://" in url else f"http://{url}"
        asyncio.run(show(address, token, game, Console(highlight=False)))
    except ConsoleError as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        # Watching ends so, and nothing was lost.
        return


def _address_of(port: int) -> str:
    """Return the address of the console of the gateway on a port. Raises ClickException."""
    # Other uses would wait for this import.
    from battlesnake_search.children.service import console_of

    if console := console_of(port):
        return f"http://{LOOPBACK}:{console}"
    raise click.ClickException(
        f"--port {port}: no gateway of yours with this port runs a console on this machine; "
        "give the console's address with --admin"
    )
