"""The limit of this process's open files, as far as the connections of a port need it."""

import resource
from dataclasses import replace

from battlesnake_search.common.logs import get_logger
from battlesnake_search.ports.bounds import PortBounds

log = get_logger(__name__)

_OTHER_FILES = 512
"""Open files besides callers' connections: calls to searchers, databases, logs, and new connections."""


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
