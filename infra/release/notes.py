"""The notes of a release: python -m infra.release.notes VERSION.

They are the changelog's section of that version. It is an error if pyproject.toml has another version, or the
changelog no such section.
"""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


class ReleaseError(ValueError):
    """The files do not fit the version to release."""


def notes_of(version: str, project: str, changelog: str) -> str:
    """Return the changelog's section of a version, without its heading.

    `project` is the text of pyproject.toml. Raises ReleaseError, naming the mismatch.
    """
    declared = tomllib.loads(project)["project"]["version"]
    if declared != version:
        raise ReleaseError(f"pyproject.toml: the version is {declared}, and {version} is to be released")
    section = re.search(
        rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if not section or not section[1].strip():
        raise ReleaseError(f"CHANGELOG.md: there is no section '## {version}' with changes")
    return section[1].strip()


def main() -> None:
    """Print the notes, or exit with the mismatch."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m infra.release.notes VERSION")
    project, changelog = ((ROOT / name).read_text() for name in ("pyproject.toml", "CHANGELOG.md"))
    try:
        print(notes_of(sys.argv[1], project, changelog))
    except ReleaseError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
