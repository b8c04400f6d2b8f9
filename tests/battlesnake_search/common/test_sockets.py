"""Addresses of Unix sockets, over real gRPC, and the folders that hold them."""

import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from battlesnake_search.common import sockets
from battlesnake_search.common.sockets import (
    FolderError,
    SocketFolder,
    address_of,
    escaped,
    path_of,
)
from tests.support.services import ROOT

_MOST_OF_A_NAME = 255
"""Bytes in the name of a folder."""

NAMES = (
    st.binary(min_size=1, max_size=_MOST_OF_A_NAME)
    .filter(lambda name: not set(name) & set(b"/\0") and name not in (b".", b".."))
    .map(os.fsdecode)
)
ODD = (
    "a b",
    "a%20b",
    "a#b",
    "a?b=c",
    "ä\N{SNAKE}",
    "a,b",
    "a\nb",
    60 * "x",
    250 * "x",
)


LONGEST = 107 - len("/battlesnake-12345678/searcher.sock")
"""Bytes in the path of the longest temporary folder that can hold a socket, on Linux."""


def _serves(address: str) -> bool:
    """Return whether a gRPC server at an address answers calls to it."""
    server = grpc.server(ThreadPoolExecutor(1))
    health_pb2_grpc.add_HealthServicer_to_server(health.HealthServicer(), server)
    server.add_insecure_port(escaped(address))
    server.start()
    try:
        with grpc.insecure_channel(escaped(address)) as channel:
            check = health_pb2_grpc.HealthStub(channel).Check
            answer = check(health_pb2.HealthCheckRequest(), timeout=20.0, wait_for_ready=True)
        return Path(path_of(address)).is_socket() and bool(answer.status)
    finally:
        server.stop(0).wait()


@given(st.sampled_from(ODD) | NAMES)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_temporary_folder_will_do(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A socket in our folder there serves, or in our folder in /tmp if gRPC can't use the path."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        given = os.path.join(place, name)
        os.mkdir(given)
        monkeypatch.setattr(tempfile, "tempdir", given)
        with SocketFolder() as folder:
            socket = folder.path / "searcher.sock"
            is_usable = len(os.fsencode(given)) <= LONGEST and "," not in given
            assert str(folder.path.parent) == (given if is_usable else "/tmp")
            assert path_of(address_of(socket)) == str(socket)
            assert " " not in address_of(socket)
            assert _serves(address_of(socket))


@pytest.mark.parametrize("form", ["unix:{}/a b/s", "unix:{}/a%20b/s", "unix://{}/a b/s", "unix:{}/a b/#?s"])
def test_an_address_may_have_escapes_or_not(tmp_path: Path, form: str) -> None:
    """gRPC gets the escapes that it needs, and an address with escapes stays the same."""
    (tmp_path / "a b").mkdir()
    assert _serves(form.format(tmp_path))
    assert escaped(escaped(form)) == escaped(form)
    assert escaped("dns:///searcher:50051") == "dns:///searcher:50051"


def test_without_a_folder_the_error_names_tmpdir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder may be gone, or too deep, with no other place."""
    # Short enough for a socket, as a folder of the tests may not be.
    monkeypatch.setattr(tempfile, "tempdir", f"/tmp/gone-{os.getpid()}")
    with pytest.raises(FolderError, match=r"TMPDIR: no folder for a socket can be made in .*gone-"):
        SocketFolder()
    monkeypatch.setattr(tempfile, "tempdir", f"/tmp/{LONGEST * 'x'}")
    monkeypatch.setattr(sockets, "_OTHER_PLACE", str(tmp_path / "none"))
    with pytest.raises(FolderError, match=r"TMPDIR: .* in .*none"):
        SocketFolder()


OWNER = """
from battlesnake_search.common.sockets import SocketFolder
folder = SocketFolder()
(folder.path / "searcher.sock").touch()
print(folder.path, flush=True)
input()
"""


def _owner(place: Path) -> tuple["subprocess.Popen[str]", Path]:
    """Start a process with a folder; return both."""
    process = subprocess.Popen(
        (sys.executable, "-c", OWNER),
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(place)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def _end(process: "subprocess.Popen[str]", sign: signal.Signals) -> None:
    process.send_signal(sign)
    process.communicate()


def test_a_start_removes_the_folders_of_killed_processes(tmp_path: Path) -> None:
    """The folders of live processes stay, and so do folders without a lock."""
    (tmp_path / "battlesnake-other").mkdir()
    live, kept = _owner(tmp_path)
    killed, left = _owner(tmp_path)
    _end(killed, signal.SIGKILL)
    assert left.exists()
    last, new = _owner(tmp_path)
    assert {kept, new, tmp_path / "battlesnake-other"} == set(tmp_path.iterdir())
    assert (kept / "searcher.sock").exists()
    for process in (live, last):
        process.communicate("\n")
    assert set(tmp_path.iterdir()) == {tmp_path / "battlesnake-other"}


def test_the_folders_of_other_users_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder in /tmp may be anybody's."""
    killed, left = _owner(tmp_path)
    _end(killed, signal.SIGKILL)
    monkeypatch.setattr(os, "getuid", lambda: left.stat().st_uid + 1)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with SocketFolder():
        assert left.exists()
