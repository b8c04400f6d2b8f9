"""The form of a gRPC target."""

import re

from battlesnake_search.common.sockets import UNIX, fault_of, path_of

_WITHOUT_PORT = re.compile(r"(?:dns:///)?(?P<host>\[[^\]]+\]|[^:/\[\]]+)", re.ASCII)
_WITH_PORT = re.compile(
    r"(?:dns:///|grpcs://)?(?!(?:dns|ipv4|ipv6|unix|unix-abstract|xds):)(?:\[[^\]]+\]|[^:/\[\]]+):(?P<port>[^:/]*)",
    re.ASCII,
)
_LAST_PORT = 65535


def check_target(target: str) -> None:
    """Raise ValueError for a target that gRPC would misunderstand.

    Such a target is empty, an HTTP address, or a Unix socket with a path that gRPC can't use. Or it lacks a
    port from 1 to 65535.
    """
    if not target:
        raise ValueError("expected HOST:PORT, grpcs://HOST:PORT or unix:PATH, got an empty text")
    if target.startswith(("http://", "https://")):
        raise ValueError(f"{target!r} is an HTTP address: give host:port, or grpcs://host:port for TLS")
    if target.startswith(UNIX):
        # A comma separates the sockets of several searchers.
        for path in path_of(target).split(","):
            if fault := fault_of(path):
                raise ValueError(f"{target!r}: {fault}")
    if found := _WITHOUT_PORT.fullmatch(target):
        raise ValueError(f"{target!r} has no port: give {found['host']}:50051, for example")
    if found := _WITH_PORT.fullmatch(target):
        port = found["port"]
        if not port.isdecimal() or not 1 <= int(port) <= _LAST_PORT:
            raise ValueError(f"{target!r}: the port {port!r} is not a number from 1 to {_LAST_PORT}")
