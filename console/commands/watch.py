"""The command line: python -m console watch."""

import asyncio

import click

from battlesnake_search.common.cli import examples
from battlesnake_search.common.launch import pip_install

_URL = "http://127.0.0.1:8001"
"""The console of a gateway without options."""


@click.command(
    epilog=examples(
        "python -m console watch",
    )
)
@click.argument("game", required=False)
@click.option("--admin", "url", default=_URL, metavar="URL", help="Address of the gateway's console.")
@click.option(
    "--token",
    default="",
    show_default=False,
    envvar="ADMIN_TOKEN",
    show_envvar=True,
    metavar="NAME.SECRET",
    help="Token, if the console requires one. Other users can read an option but no variable.",
)
def watch(game: str | None, url: str, token: str) -> None:
    """Show a live game on the terminal: the board, the snakes, and the last decisions.

    GAME is the game's id. Without it, the command shows the newest running game, or waits for the next game.
    It ends when the game ends.
    """
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
