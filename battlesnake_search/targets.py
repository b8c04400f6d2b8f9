"""The form of a gRPC target."""

import re

_WITHOUT_PORT = re.compile(r"(?:dns:///)?(?P<host>\[[^\]]+\]|[^:/\[\]]+)", re.ASCII)


def check_target(target: str) -> None:
    """Raise ValueError for a target that gRPC would misunderstand: one without a port, or an HTTP address.

    An empty text is no target either.
    """
    if not target:
        raise ValueError("target: expected HOST:PORT, grpcs://HOST:PORT or unix:PATH, got an empty text")
    if target.startswith(("http://", "https://")):
        raise ValueError(f"{target!r} is an HTTP address: give host:port, or grpcs://host:port for TLS")
    if found := _WITHOUT_PORT.fullmatch(target):
        raise ValueError(f"{target!r} has no port: give {found['host']}:50051, for example")
