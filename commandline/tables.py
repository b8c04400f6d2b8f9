"""The console that commands print their tables to. It needs rich: import it only to print."""

import sys
from typing import Any

from rich.console import Console


def table_console(width: int, **settings: Any) -> Console:
    """Return a console as wide as the terminal; where there is none, of this many columns."""
    return Console(width=None if sys.stdout.isatty() else width, **settings)
