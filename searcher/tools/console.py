"""The console on which tools print tables."""

from rich.console import Console

_WIDE = 10_000
"""Columns of an output that is not a terminal, so that no line is cut."""


def new_console() -> Console:
    """Return a console that prints whole lines unless a terminal is too narrow for them."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDE
    return console
