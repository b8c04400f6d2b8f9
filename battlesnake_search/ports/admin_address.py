"""The address of the admin port."""

import re
from dataclasses import dataclass

from battlesnake_search.ports.bounds import is_loopback

LOOPBACK = "127.0.0.1"

DEFAULT_PUBLIC_PORT = 8000
DEFAULT_PORT = 8001
"""The port of the console of a gateway whose port nobody chose. If it is taken, a free port takes its place.

Several snakes of one machine have consecutive ports. So a gateway with a chosen port leaves 8001 to others.
"""

YIELD_PATH = "/api/yield"
"""The path at which a gateway asks a console to leave the port of the gateway's snake."""

ADMIN_REMEDY = "Give another address with --admin or ADMIN, or none."
"""The remedy for a port in use."""

_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]*):(?P<port>\d{1,5})", re.ASCII)
_MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class AdminAddress:
    """The host and port of the admin side. Port 0 is any free port."""

    host: str
    port: int
    is_chosen: bool = True
    """Whether only this port will do. Otherwise a free port takes the place of a taken one."""
    opens: bool = False
    """Whether a browser opens the console at the start."""

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this machine can reach the port."""
        return is_loopback(self.host)


def read_address(text: str, public_port: int = 0) -> AdminAddress:
    """Read HOST:PORT. Raises ValueError for text in another form, and for `public_port`."""
    found = _ADDRESS.fullmatch(text)
    if not found or int(found["port"]) > _MAX_PORT:
        raise ValueError(f"{text!r} is not an address like 127.0.0.1:8001, nor none")
    if int(found["port"]) == public_port != 0:
        raise ValueError(f"{text!r} has the port of the snake: the console needs one of its own")
    return AdminAddress(found["host"].strip("[]") or "0.0.0.0", int(found["port"]))
