"""The open files that connections need."""

import resource
from dataclasses import replace

import structlog

from gateway.ports.bounds import Bounds

log = structlog.get_logger(__name__)

_OTHER_FILES = 512
"""Open files that are no callers' connections: calls to searchers, databases, logs, and newcomers."""


def with_open_files(bounds: Bounds) -> Bounds:
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
