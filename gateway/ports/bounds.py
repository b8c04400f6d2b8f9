"""The bounds on what callers hold open, and the open files that this takes."""

import ipaddress
import resource
from dataclasses import dataclass, replace
from enum import Enum

import structlog


class EarlyEnd(Enum):
    """Why a connection ended before its request was answered. The value is the label of the counter."""

    TOO_MANY = "too_many_connections"
    SILENT = "no_request"
    """No byte arrived in time."""
    SLOW = "slow_request"
    """The head and the body did not arrive in time."""
    UNREAD = "unread_answer"
    """The caller did not take the answer in time."""
    GONE_IN_HEAD = "gone_in_head"
    GONE_IN_BODY = "gone_in_body"
    GONE_BEFORE_ANSWER = "gone_before_answer"
    BAD_HTTP = "bad_http"
    TOO_LARGE = "too_large"
    """The body is larger than any game's."""


@dataclass(frozen=True, slots=True)
class PortBounds:
    """The most connections of a port, in all and from one address, and how long they may take, in seconds.

    `request` is the time for a whole request, head and body; `idle` that between two requests.
    """

    connections: int = 8192
    per_address: int = 4096
    request: float = 10.0
    idle: float = 150.0
    """Longer than the 90 s for which clients keep a connection: what they send as it closes is lost."""


DEFAULT_PORT_BOUNDS = PortBounds()


log = structlog.get_logger(__name__)

_OTHER_FILES = 512
"""Open files that are no callers' connections: calls to searchers, databases, logs, and newcomers."""


def with_open_files(bounds: PortBounds) -> PortBounds:
    """Allow this process as many open files as the bounds need, and return what it got.

    Where the system allows fewer, the bounds shrink, since a caller too many would keep all others out.
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


def is_loopback(host: str) -> bool:
    """Return whether a host name or an IP address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
