"""The bounds of a port's connections and bodies, and the addresses of this machine.

The options of commands import this module, so it needs no library: a start pays for each import.
"""

import ipaddress
import resource
from dataclasses import dataclass, replace
from enum import Enum

from battlesnake_search.common.logs import get_logger

log = get_logger(__name__)

_OTHER_FILES = 512
"""Open files besides callers' connections: calls to searchers, databases, logs, and new connections."""


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


def with_open_files(bounds: PortBounds) -> PortBounds:
    """Raise this process's limit of open files as far as the bounds need, and return the bounds in force.

    If the system allows fewer files, the bounds shrink, because a lack of files would block all callers.
    """
    needed = bounds.connections + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if _is_enough(soft, needed):
        return bounds
    allowed = needed if _is_enough(hard, needed) else hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, allowed), hard))
    if allowed == needed:
        return bounds
    connections = max(allowed - _OTHER_FILES, allowed // 2)
    log.warning("fewer connections than configured", connections=connections, open_files=allowed)
    return replace(bounds, connections=connections, per_address=min(bounds.per_address, connections))


def _is_enough(limit: int, needed: int) -> bool:
    return limit == resource.RLIM_INFINITY or limit >= needed
