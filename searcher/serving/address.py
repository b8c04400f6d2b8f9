"""The address to listen on, checked first, because gRPC does not report why it can't listen."""

import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

_HOST_PORT = re.compile(r"(?P<host>\[[^\]]+\]|[^:\[\]]+):(?P<port>[0-9]{1,5})")
_FORMS = "valid: host:port, [::]:port, unix:/path, unix:path"


class ListenError(Exception):
    """The address is malformed, or the system refuses it; the message has the reason."""


def default_address() -> str:
    """Return the default address: all interfaces at the port in PORT, or else the loopback interface."""
    port = os.environ.get("PORT")
    return f"0.0.0.0:{port}" if port else "127.0.0.1:50051"


def check_address(listen: str) -> None:
    """Raise ListenError if `listen` isn't one of the valid forms or the system refuses to bind it."""
    if listen.startswith("unix:"):
        _check_path(listen.removeprefix("unix:"), listen)
    elif (match := _HOST_PORT.fullmatch(listen)) and int(match["port"]) <= 65535:
        _check_host(match["host"].strip("[]"), int(match["port"]), listen)
    else:
        raise ListenError(f"cannot listen on {listen!r}; {_FORMS}")


def _check_host(host: str, port: int, listen: str) -> None:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            # gRPC sets this too: lingering connections of an earlier server must not prevent listening.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ListenError(f"cannot listen on {listen}: {error.strerror or error}") from None


def _check_path(name: str, listen: str) -> None:
    """Raise ListenError if the path is unusable or a server listens there: gRPC would replace its file."""
    path = Path(name.removeprefix("//"))
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
