"""A real PgBouncer from the Debian package, in transaction mode in front of a server of the tests."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from sqlalchemy.engine import make_url

from tests.support.services import free_port

_PATIENCE = 60.0
"""Seconds, far more than the program needs to start on a busy machine."""

_NOBODY = 65534
"""The user id of the program if the tests run as root, since it refuses to run as root."""

_SETTINGS = """
[databases]
{database} = host={host} port={server_port} user={user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
auth_type = any
pool_mode = transaction
default_pool_size = {connections}
"""


class PgBouncerMissingError(RuntimeError):
    """PgBouncer is not installed."""


@contextmanager
def pooling(server: str, connections: int) -> Iterator[str]:
    """Yield the URL of a pooler with this many connections to the server at a URL."""
    program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        raise PgBouncerMissingError
    behind, port, folder = make_url(server), free_port(), Path(mkdtemp(prefix="battlesnake-pgbouncer-"))
    user = _NOBODY if os.geteuid() == 0 else None
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        _SETTINGS.format(
            database=behind.database,
            host=behind.host,
            server_port=behind.port,
            user=behind.username,
            port=port,
            connections=connections,
        )
    )
    folder.chmod(0o755)
    process = subprocess.Popen(
        [program, settings],
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_listening(process, port)
        yield str(behind.set(port=port))
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(folder)


def _wait_until_listening(process: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + _PATIENCE
    while not _listens(port):
        if time.monotonic() > deadline or process.poll() is not None:
            raise RuntimeError("PgBouncer did not start")
        time.sleep(0.05)


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0
