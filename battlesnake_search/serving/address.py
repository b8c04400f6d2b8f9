"""The address to listen on. It is checked first, because gRPC does not report why it can't listen."""

import errno
import ipaddress
import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

from battlesnake_search.common.sockets import UNIX, fault_of, path_of

_HOST_PORT = re.compile(r"(?P<host>\[[^\]]+\]|[^:\[\]]+):(?P<port>[0-9]{1,5})")
_LAST_PORT = 65535
_FORMS = "valid: host:port, [::]:port, with a port up to 65535; unix:/path, unix:path"


class ListenError(Exception):
    """The address is malformed, or the system refuses it. The message has the reason."""


def default_address(local_port: int) -> str:
    """Return the default address: all interfaces at the port in PORT, or loopback without PORT."""
    port = os.environ.get("PORT")
    return f"0.0.0.0:{port}" if port else f"127.0.0.1:{local_port}"


def split_address(address: str) -> tuple[str, int]:
    """Return the host, without brackets, and the port of host:port. Raises ListenError for another form."""
    match = _HOST_PORT.fullmatch(address)
    if match is None or int(match["port"]) > _LAST_PORT:
        raise ListenError(f"cannot listen on {address!r}; {_FORMS}")
    return match["host"].strip("[]"), int(match["port"])


def is_local(listen: str) -> bool:
    """Return whether a valid address is reachable only from this machine: a Unix socket, or loopback."""
    if listen.startswith(UNIX):
        return True
    host, port = split_address(listen)
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    return all(ipaddress.ip_address(each[4][0]).is_loopback for each in found)


def check_address(listen: str) -> None:
    """Raise ListenError if `listen` isn't one of the valid forms or the system refuses to bind it."""
    if listen.startswith(UNIX):
        _check_path(path_of(listen), listen)
    else:
        _check_host(*split_address(listen), listen)


def _check_host(host: str, port: int, listen: str) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            # As in gRPC, connections left over from an earlier server must not prevent listening.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ListenError(
            f"cannot listen on {listen}: {error.strerror or error}{_remedy_of(error)}"
        ) from None


def _remedy_of(error: OSError) -> str:
    is_taken = error.errno == errno.EADDRINUSE
    return ". Stop the program that listens there, or give another address" if is_taken else ""


def _check_path(name: str, listen: str) -> None:
    """Raise ListenError if the path is unusable, or if gRPC would replace the socket of a running server."""
    path = Path(name)
    if fault := fault_of(name):
        raise ListenError(f"cannot listen on {listen}: {fault}")
    if not name or not path.parent.is_dir():
        raise ListenError(f"cannot listen on {listen}: no folder {str(path.parent)!r}; {_FORMS}")
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise ListenError(f"cannot listen on {listen}: the file exists and is not a socket")
        if _is_listening(path):
            raise ListenError(f"cannot listen on {listen}: another server listens there")


def _is_listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
