"""Survivors that no test can notice, each with the reason."""

import tomllib
from pathlib import Path

from tests.mutants.sample import Mutant

_FILE = Path(__file__).with_name("explained.toml")


class Explanations:
    """The reasons of a file, by the changed file, the line before the change and the line after it."""

    def __init__(self, file: Path = _FILE) -> None:
        entries = tomllib.loads(file.read_text())["survivors"]
        self._reasons = {(each["file"], each["line"], each["becomes"]): each["reason"] for each in entries}

    def reason(self, mutant: Mutant, code: str) -> str | None:
        """Return why no test can notice a change, None if nobody has said."""
        return self._reasons.get((mutant.file, *changed_lines(mutant, code)))


def changed_lines(mutant: Mutant, code: str) -> tuple[str, str]:
    """Return the lines that a change takes away, and those in their place, without indentation."""
    before, after = code.splitlines(), mutant.apply(code).splitlines()
    first = next((at for at, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), 0)
    last = next(
        (at for at, pair in enumerate(zip(before[::-1], after[::-1], strict=False)) if pair[0] != pair[1]), 0
    )
    return _joined(before[first : len(before) - last]), _joined(after[first : len(after) - last])


def _joined(lines: list[str]) -> str:
    return " / ".join(line.strip() for line in lines)
