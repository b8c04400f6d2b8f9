"""The bounds of a port's connections and bodies, and the addresses of this machine.

The options of commands import this module, so it imports the standard library alone.
"""

import ipaddress
from dataclasses import dataclass
from enum import Enum


class EarlyEnd(Enum):
    """The reason of a connection's end before the answer. The value is the label of the counter."""

    TOO_MANY = "too_many_connections"
    SILENT = "no_request"
    """No byte arrived in time."""
    SLOW = "slow_request"
    """The head and the body did not arrive in time."""
    UNREAD = "unread_answer"
    """The caller did not read the answer in time."""
    GONE_IN_HEAD = "gone_in_head"
    GONE_IN_BODY = "gone_in_body"
    GONE_BEFORE_ANSWER = "gone_before_answer"
    BAD_HTTP = "bad_http"
    TOO_LARGE = "too_large"
    """The body is larger than the body of any game."""
    CROWDED = "too_many_bytes"
    """All requests together are too large, and this one is not small."""


@dataclass(frozen=True, slots=True)
class PortBounds:
    """The limits of a port: its connections, in all and from one address, and their times in seconds.

    `request` is the time for a whole request, head and body. `idle` is the time between two requests. `bytes`
    is the size of all requests that arrive or wait for their answers. Beyond it only small ones are taken.
    """

    connections: int = 8192
    per_address: int = 4096
    request: float = 10.0
    idle: float = 150.0
    """Longer than the 90 s for which clients keep idle connections, because requests on a closing connection
    are lost."""
    bytes: int = 8_000_000


DEFAULT_PORT_BOUNDS = PortBounds()


def is_loopback(host: str) -> bool:
    """Return whether a host name or an IP address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
