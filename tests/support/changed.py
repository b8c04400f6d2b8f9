"""The tests that mirror what differs from main: python -m tests.support.changed prints their paths."""

import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from tests.support.services import ROOT

ARCHITECTURE = "tests/test_architecture.py"

PAGES = ("tests/docs/test_links.py", "tests/docs/test_prose.py", "tests/docs/test_commands.py")


def mirrors_of(changed: Iterable[str]) -> list[str]:
    """Return the test files that mirror these files of the checkout, each once."""
    return sorted({test for file in changed for test in _of(PurePath(file))})


def _of(file: PurePath) -> Iterator[str]:
    if file.suffix == ".md":
        yield from PAGES
    elif file.suffix == ".proto":
        yield "tests/test_protos.py"
    elif file.suffix == ".py":
        yield ARCHITECTURE
        yield from _mirrors(file)


def _mirrors(file: PurePath) -> Iterator[str]:
    """Yield the test file of a module, or else the test files of its folder."""
    if file.name.startswith("test_"):
        yield from _existing(str(file))
        return
    folder = file.parent if file.parts[0] == "tests" else PurePath("tests") / file.parent
    own = list(_existing(str(folder / f"test_{file.name}")))
    yield from own or _existing(str(folder / "test_*.py"))


def _existing(pattern: str) -> Iterator[str]:
    return (str(path.relative_to(ROOT)) for path in ROOT.glob(pattern))


def changed_files() -> list[str]:
    """Return the files that differ from main, or from HEAD in a clone without it, and the new ones.

    Raises CalledProcessError outside of a clone.
    """
    branches = _git("for-each-ref", "--format=%(refname)", "refs/heads/main", "refs/remotes/origin/main")
    base = _git("merge-base", *branches[:1], "HEAD")
    return [*_git("diff", "--name-only", *base), *_git("ls-files", "--others", "--exclude-standard")]


def _git(*arguments: str) -> list[str]:
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


if __name__ == "__main__":
    found = mirrors_of(changed_files())
    if not found:
        sys.exit("Nothing that has tests differs from main")
    print(*found)
