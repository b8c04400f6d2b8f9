"""Runs of the tests on changed code, in copies of the project."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import mkdtemp

from tests.mutants.sample import Mutant

_TIMES, _PLUS = 3.0, 20.0
"""How much longer than without a change the tests may take: a change that makes them hang is noticed, too."""

_LONGEST = 240.0
"""Seconds for the tests of a package without a change, on a busy machine."""

_OUTPUT = ".output"
"""The file, in the copy, with what the last tests printed."""


def files_for(root: Path, file: str) -> tuple[list[str], list[str]]:
    """Return the test files that mirror a file, and those of its package, or else those that import it."""
    path = Path(file)
    folder = root / "tests" / path.parent
    own = {
        *folder.glob(f"test_{path.stem}.py"),
        *folder.glob(f"test_{path.stem}_*.py"),
        *(folder / path.stem).glob("test_*.py"),
    }
    others = {*folder.glob("test_*.py")} - own
    if not own | others:
        module = re.compile(rf"\b{re.escape('.'.join(path.with_suffix('').parts))}\b")
        others = {test for test in root.glob("tests/**/test_*.py") if module.search(test.read_text())}
    return _names(root, own), _names(root, others)


def _names(root: Path, paths: Iterable[Path]) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in paths)


class FailingTestsError(Exception):
    """Tests that fail without any change."""


class Copy:
    """A copy of the project below a temporary folder, in which one file at a time is changed."""

    def __init__(self, root: Path) -> None:
        self._root = Path(mkdtemp(prefix="battlesnake-mutants-"))
        self._seconds: dict[tuple[str, ...], float] = {}
        listed = subprocess.run(
            ("git", "ls-files", "--cached", "--others", "--exclude-standard"),
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        )
        for name in listed.stdout.splitlines():
            if (root / name).is_file():
                (self._root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, self._root / name)
        # The engine and the compiled code that tests need are not built again.
        cache = root / ".cache"
        cache.mkdir(exist_ok=True)
        (self._root / ".cache").symlink_to(cache)

    def notices(self, mutant: Mutant) -> bool:
        """Return whether a test fails on the changed code. Raises FailingTestsError."""
        path = self._root / mutant.file
        code = path.read_text()
        for tests in filter(None, files_for(self._root, mutant.file)):
            longest = self._longest(tests)
            path.write_text(mutant.apply(code))
            try:
                if not self._pass(tests, longest):
                    return True
            finally:
                path.write_text(code)
        return False

    def remove(self) -> None:
        """Delete the copy."""
        shutil.rmtree(self._root)

    def _longest(self, tests: Sequence[str]) -> float:
        """Return the seconds that tests may take, from how long they take without a change."""
        key = tuple(tests)
        if key not in self._seconds:
            started = time.monotonic()
            # A busy machine may fail a test once.
            if not self._pass(tests, _LONGEST) and not self._pass(tests, _LONGEST):
                output = (self._root / _OUTPUT).read_text()
                raise FailingTestsError(f"without a change these tests fail: {' '.join(tests)}\n{output}")
            self._seconds[key] = time.monotonic() - started
        return _TIMES * self._seconds[key] + _PLUS

    def _pass(self, tests: Sequence[str], seconds: float) -> bool:
        """Return whether the tests pass in time."""
        # A cache of bytecode would hide a change within the same second and of the same length.
        environment = {
            **os.environ,
            "PYTHONPATH": str(self._root),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CI": "true",
        }
        options = ("-x", "-q", "-n0")
        with (self._root / _OUTPUT).open("wb") as output:
            process = subprocess.Popen(
                (sys.executable, "-m", "pytest", *options, *tests),
                cwd=self._root,
                env=environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        try:
            return process.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the tests and the services that they started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return
    process.wait()
