"""The targets of gRPC, and Unix sockets: their addresses, as gRPC reads them, and private folders for them.

It needs only the standard library, because an embedded searcher starts before other imports.
"""

import fcntl
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self
from urllib.parse import quote, unquote_to_bytes

UNIX = "unix:"
"""The prefix of the address of a socket in this machine's file system."""

_MOST_BYTES = 107 if sys.platform == "linux" else 103
"""The most bytes in the path of a Unix socket."""

_PREFIX = "battlesnake-"
_LOCK = "lock"
"""The file that the owner of a folder holds locked. The system releases the lock of a process that dies."""

_LONGEST = f"/{_PREFIX}12345678/searcher.sock"
"""A path in a temporary folder that is as long as the paths of our sockets can be."""

_OTHER_PLACE = "/tmp"
"""The place of the folder if no socket can be in the temporary folder."""

_WITHOUT_PORT = re.compile(r"(?:dns:///)?(?P<host>\[[^\]]+\]|[^:/\[\]]+)", re.ASCII)
_WITH_PORT = re.compile(
    r"(?:dns:///|grpcs://)?(?!(?:dns|ipv4|ipv6|unix|unix-abstract|xds):)(?:\[[^\]]+\]|[^:/\[\]]+):(?P<port>[^:/]*)",
    re.ASCII,
)
_LAST_PORT = 65535


class FolderError(Exception):
    """No folder can hold a socket. The message names TMPDIR."""


def address_of(path: str | Path) -> str:
    """Return the address of a socket. gRPC reads it as a URI, so spaces, # and ? are escaped."""
    return f"{UNIX}{quote(os.fsencode(path))}"


def path_of(address: str) -> str:
    """Return the path of a socket's address, unix:PATH or unix:///PATH, without escapes such as %20."""
    return os.fsdecode(unquote_to_bytes(address.removeprefix(UNIX).removeprefix("//")))


def escaped(address: str) -> str:
    """Return an address for gRPC. In a socket's address, characters that a URI may not have are escaped."""
    return address_of(path_of(address)) if address.startswith(UNIX) else address


def fault_of(path: str) -> str:
    """Return the reason why gRPC can't use the path of a socket; empty if it can."""
    if len(os.fsencode(path)) > _MOST_BYTES:
        return f"the path has more than the {_MOST_BYTES} bytes of a Unix socket"
    # gRPC takes a comma, even an escaped one, for the end of an address.
    return "the path has a comma" if "," in path else ""


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


class SocketFolder:
    """A new private folder for sockets. Creating one removes the folders of this user's dead processes.

    A context manager: leaving it removes the folder. The constructor raises FolderError.
    """

    def __init__(self) -> None:
        place = _place()
        _remove_dead(place)
        try:
            # A database in it may still be written at the end. The next folder's owner removes the rest.
            self._folder = tempfile.TemporaryDirectory(prefix=_PREFIX, dir=place, ignore_cleanup_errors=True)
        except OSError as error:
            reason = f"TMPDIR: no folder for a socket can be made in {place}: {error.strerror}"
            raise FolderError(reason) from error
        self.path = Path(self._folder.name)
        self._lock = _locked(self.path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder and everything in it."""
        self._folder.cleanup()
        if self._lock:
            self._lock.close()


def _place() -> str:
    """Return the folder in which to make folders: the system's, unless gRPC can't use its path."""
    try:
        place = tempfile.gettempdir()
    except OSError as error:
        raise FolderError(f"TMPDIR: {error.strerror}") from error
    return _OTHER_PLACE if fault_of(place + _LONGEST) else place


def _locked(folder: Path) -> IO[str] | None:
    """Lock a new folder for this process; return the file that holds the lock. Some systems know no locks."""
    with suppress(OSError):
        # The file gets its name with the lock held, so others never see it without.
        unnamed = folder / f"{_LOCK}.new"
        lock = unnamed.open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        unnamed.rename(folder / _LOCK)
        return lock
    return None


def _remove_dead(place: str) -> None:
    """Remove the folders of this user's processes that were killed before they could do it."""
    for folder in Path(place).glob(f"{_PREFIX}*"):
        with suppress(OSError), _unlocked(folder):
            shutil.rmtree(folder, ignore_errors=True)


def living_folders() -> Iterator[Path]:
    """Yield the folders of this user's living processes. Without a temporary folder, raises FolderError."""
    for folder in Path(_place()).glob(f"{_PREFIX}*"):
        try:
            with _unlocked(folder):
                continue
        except BlockingIOError:
            yield folder
        except OSError:
            continue


@contextmanager
def _unlocked(folder: Path) -> Iterator[None]:
    """Hold the lock of a dead process's folder. Raises OSError for other folders."""
    found = folder.lstat()
    if found.st_uid != os.getuid():
        raise PermissionError(folder)
    with (folder / _LOCK).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
