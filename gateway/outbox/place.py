"""The place of the outbox's file: a name in the user's data directory that no other process uses."""

import fcntl
import os
from pathlib import Path

MOST_NAMES = 64
"""The names of a port's files: outbox-PORT, outbox-PORT-2, and so on."""


class NoPlaceError(Exception):
    """There is no place for a file."""


def default_folder() -> Path:
    """Return the project's folder in the user's data directory by the XDG Base Directory Specification.

    Raises NoPlaceError if no variable and no entry of the user names a home directory.
    """
    data = os.environ.get("XDG_DATA_HOME")
    home = os.path.expanduser("~")
    if not data and home == "~":
        raise NoPlaceError("there is no home directory: set XDG_DATA_HOME or HOME")
    return Path(data or os.path.join(home, ".local", "share")) / "battlesnake-search"


def claim(folder: Path, port: int) -> tuple[Path, int]:
    """Return the path of the first free file, and the descriptor that holds its lock.

    Files with events come first, so that an earlier process leaves none behind. Raises OSError for an
    unusable folder, and NoPlaceError if no file is free.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"outbox-{port}", *(f"outbox-{port}-{number}" for number in range(2, MOST_NAMES + 1))]
    for path in sorted((folder / name for name in names), key=_is_empty):
        # The lock is a file of its own, because a full outbox is replaced by another file.
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(lock)
        except OSError:
            os.close(lock)
            raise
        else:
            return path, lock
    raise NoPlaceError(f"other processes use all {MOST_NAMES} files of the port")


def _is_empty(path: Path) -> bool:
    return not path.exists() or not path.stat().st_size
