"""Watching a game until it is over."""

import asyncio
from contextlib import aclosing

from rich.console import Console
from rich.live import Live

from gateway.commands.watching.client import ConsoleClient, ConsoleError
from gateway.commands.watching.game import WatchedGame
from gateway.commands.watching.screen import screen

_PAUSE = 1.0
"""Seconds between two looks for a running game, and before a lost connection is tried again."""

_ATTEMPTS = 10
"""The attempts, one after another, to reach a console that has been lost."""


async def watch(url: str, token: str, id_: str | None, console: Console) -> None:
    """Show a game, or the newest one that is being played, until it is over. Raises ConsoleError."""
    async with ConsoleClient(url, token) as client:
        chosen = id_ or await _running_game(client, console)
        if not console.is_terminal:
            await follow(client, chosen, Printer(console))
            return
        # The last picture stays on the terminal.
        with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
            await follow(client, chosen, _Screen(live))


class _Screen:
    """Shows a game in one place of a terminal."""

    def __init__(self, live: Live) -> None:
        self._live = live

    def show(self, watched: WatchedGame) -> None:
        """Show the game as it stands."""
        self._live.update(screen(watched), refresh=True)


class Printer:
    """Prints each turn of a game once, with the decisions known by then, if the output is not a terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._turn = -1

    def show(self, watched: WatchedGame) -> None:
        """Print the game if its turn is new, or if it is over."""
        turn = watched.turn["turn"] if watched.turn else -1
        if turn > self._turn or watched.over:
            self._turn = turn
            self._console.print(screen(watched))


async def _running_game(client: ConsoleClient, console: Console) -> str:
    """Return the id of the newest game that is being played; wait for one."""
    if (found := await client.running_game()) is not None:
        return found
    console.print("No game is being played; waiting for one.")
    while (found := await client.running_game()) is None:
        await asyncio.sleep(_PAUSE)
    return found


async def follow(client: ConsoleClient, id_: str, shown: _Screen | Printer) -> None:
    """Show a game until it is over. A lost connection is tried again; then the game is read anew."""
    watched = WatchedGame(await client.game(id_))
    attempts = 0
    while not watched.over:
        shown.show(watched)
        try:
            async with aclosing(client.events(id_)) as events:
                async for event in events:
                    if event is None:
                        # From here on, everything that happens arrives as an event.
                        watched, attempts = WatchedGame(await client.game(id_)), 0
                    else:
                        watched.add(event)
                    if watched.over:
                        break
                    shown.show(watched)
        except ConsoleError:
            attempts += 1
            if attempts > _ATTEMPTS:
                raise
            await asyncio.sleep(_PAUSE)
    shown.show(watched)
