"""Where a server listens, and whether it can. gRPC says at most that it can't, and never why."""

import os
import re
import socket
import stat
from contextlib import suppress
from pathlib import Path

_HOST_PORT = re.compile(r"(?P<host>\[[^\]]+\]|[^:\[\]]+):(?P<port>[0-9]{1,5})")
_FORMS = "valid: host:port, [::]:port, unix:/path, unix:path"


class ListenError(Exception):
    """The address is none, or can't be listened at; the message says why."""


def default_address() -> str:
    """Where to listen unless told: where PORT says, for all who reach this machine; else for itself alone."""
    port = os.environ.get("PORT")
    return f"0.0.0.0:{port}" if port else "127.0.0.1:50051"


def check_address(listen: str) -> None:
    """Raises ListenError when `listen` isn't one of the valid forms or the system refuses to bind it."""
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
            # As gRPC does, so that connections of a former server which still linger are no obstacle.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        raise ListenError(f"cannot listen on {listen}: {error.strerror or error}") from None


def _check_path(name: str, listen: str) -> None:
    """gRPC replaces a socket file that exists; this keeps it from taking that of a living server."""
    path = Path(name.removeprefix("//"))
    if not name or not path.parent.is_dir():
        raise ListenError(f"cannot listen on {listen}: no folder {str(path.parent)!r}; {_FORMS}")
    with suppress(FileNotFoundError):
        if not stat.S_ISSOCK(path.stat().st_mode):
            raise ListenError(f"cannot listen on {listen}: the file exists and is no socket")
        if _answers(path):
            raise ListenError(f"cannot listen on {listen}: another server does")


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
