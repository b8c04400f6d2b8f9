"""A folder with the files of matches, and pages about them. Only files directly in it are seen."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from arena.serving.followed import FollowedMatch, UnknownFileError, holds_match
from arena.serving.summary import listed

_TITLE = "Battlesnake arena</title>"
"""The end of the title of each report."""

_HEAD = 4096
"""The bytes of a page that hold its title."""


class Folder:
    """The matches and reports of a folder. Its methods read files, and may take a while."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._matches: dict[str, FollowedMatch] = {}

    def contents(self) -> dict[str, Any]:
        """Return the matches and the reports, newest first; files that can't be read have a `problem`."""
        files = [path for path in self._path.iterdir() if path.is_file()]
        newest = sorted(files, key=lambda path: path.stat().st_mtime, reverse=True)
        return {
            "folder": self._path.name,
            "matches": [self._listed(path) for path in newest if holds_match(path)],
            "reports": [_report(path) for path in newest if _is_report(path)],
        }

    def _listed(self, path: Path) -> dict[str, Any]:
        try:
            return listed(self.match(path.name), path.name)
        except (ValueError, OSError) as error:
            return {"name": path.name, "problem": str(error)}

    def match(self, name: str) -> FollowedMatch:
        """Return a match as its file is now. Raises UnknownFileError, ValueError and OSError."""
        path = self._file(name)
        if name not in self._matches:
            if not holds_match(path):
                raise UnknownFileError(f"{name} holds no match")
            self._matches[name] = FollowedMatch(path)
        self._matches[name].update()
        return self._matches[name]

    def report(self, name: str) -> Path:
        """Return the file of a report. Raises UnknownFileError if there is none."""
        path = self._file(name)
        if not _is_report(path):
            raise UnknownFileError(f"{name} is not a report of the arena")
        return path

    def _file(self, name: str) -> Path:
        # A name from elsewhere must not lead out of the folder.
        path = next((path for path in self._path.iterdir() if path.name == name and path.is_file()), None)
        if path is None:
            raise UnknownFileError(f"there is no file {name}")
        return path


def _is_report(path: Path) -> bool:
    if path.suffix != ".html":
        return False
    with path.open("rb") as file:
        return _TITLE.encode() in file.read(_HEAD)


def _report(path: Path) -> dict[str, Any]:
    status = path.stat()
    changed = datetime.fromtimestamp(status.st_mtime, UTC)
    return {"name": path.name, "bytes": status.st_size, "changed_at": changed}
