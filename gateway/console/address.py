"""The address of the admin port."""

import re
from dataclasses import dataclass

from gateway.ports.bounds import is_loopback

LOOPBACK = "127.0.0.1"

ADMIN_REMEDY = "Give another address with --admin or ADMIN, or none."
"""The remedy for a port in use."""

_ADDRESS = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s:\[\]]*):(?P<port>\d{1,5})", re.ASCII)
_MAX_PORT = 65535


@dataclass(frozen=True, slots=True)
class AdminAddress:
    """The host and port of the admin side, and the port of the Battlesnake API. Port 0 is any free port."""

    host: str
    port: int
    public_port: int

    @property
    def is_loopback(self) -> bool:
        """Whether only programs of this machine can reach the port."""
        return is_loopback(self.host)


def read_address(text: str | None, public_port: int) -> AdminAddress:
    """Read HOST:PORT; without text, return the loopback address and the port number after the public port.

    Raises ValueError for text in another form, and for the public port.
    """
    if not text:
        # The last port has no next one.
        port = 0 if public_port in (0, _MAX_PORT) else public_port + 1
        return AdminAddress(LOOPBACK, port, public_port)
    found = _ADDRESS.fullmatch(text)
    if not found or int(found["port"]) > _MAX_PORT:
        raise ValueError(f"{text!r} is not an address like 127.0.0.1:8001, nor none")
    if int(found["port"]) == public_port != 0:
        raise ValueError(f"{text!r} has the port of the snake: the console needs one of its own")
    return AdminAddress(found["host"].strip("[]") or "0.0.0.0", int(found["port"]), public_port)
