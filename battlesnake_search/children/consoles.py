"""The consoles that gateways of this user run on this machine, by the ports of the gateways' snakes.

A gateway's own console takes any free port if the gateway's port was chosen. So both leave their ports in
the private folder that they share.
"""

from contextlib import suppress
from pathlib import Path

from battlesnake_search.common.sockets import living_folders

ADMIN_PORT = "admin-port"
"""The file with the port of the console's pages."""

_SNAKE_PORT = "snake-port"
"""The file with the port of the gateway's snake."""


def note_port(folder: Path, port: int) -> None:
    """Write the port of a gateway into the folder of its own console."""
    # On a full disk, the console is found by its address alone.
    with suppress(OSError):
        (folder / _SNAKE_PORT).write_text(str(port))


def console_of(port: int) -> int | None:
    """Return the port of the console of the gateway on a port; None without such a console."""
    for folder in living_folders():
        with suppress(OSError, ValueError):
            if int((folder / _SNAKE_PORT).read_text()) == port:
                return int((folder / ADMIN_PORT).read_text())
    return None
