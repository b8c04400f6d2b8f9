"""What is wrong with an evaluator, said to its author in one line: why, in which file, on which line."""

import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

_SHOWN = 200
"""Characters of a reason. The compiler's errors go on for pages."""

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|(?P<at>\S+\.py) \((?P<number>\d+)\)')
"""How the compiler's errors name a line of the code that they are about."""

_NOISE = re.compile(r"Failed in \w+ mode pipeline.*|\s*")
_RECORD = re.compile(r"Record\(\[.*?\], \d+, (True|False)\)")

_NJIT = "what evaluate calls needs @njit"
_HINTS = {"Numba type of <class 'function'>": _NJIT, "of type Module(": _NJIT}
"""What to do about some of the compiler's errors."""

Place = tuple[str, int]
"""A file and a line of it, counted from 1."""


class Fault(msgspec.Struct, frozen=True):
    """Why an evaluator is left out."""

    evaluator: str
    reason: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"evaluator {self.evaluator} is left out: {self.reason} ({self.file}:{self.line})"


class FaultyEvaluatorError(ValueError):
    """Somebody asks for an evaluator that can't play."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        fault = self.fault
        return f"evaluator {fault.evaluator} can't play: {fault.reason} ({fault.file}:{fault.line})"


def fault_of(evaluator: str, error: BaseException, home: Path, otherwise: Place) -> Fault:
    """What an error says of an evaluator whose author's code lies in `home`, a folder or a file.

    The place is the innermost one there that the error knows of, else that given.
    """
    known = [place for place in _places_of(error) if Path(place[0]).is_relative_to(home)]
    file, line = known[0] if known else otherwise
    return Fault(evaluator, _reason_of(error), file, line)


class ToldOnce:
    """Hears of errors that Python can't raise, as those of evaluators in a search, and tells each once.

    The search goes on with 0 for what an evaluator did not return; that may be a million times a minute.
    """

    def __init__(self, tell: Callable[[str], object]) -> None:
        self._tell = tell
        self._told: set[Place] = set()

    def __call__(self, raised: "sys.UnraisableHookArgs") -> None:
        """What `sys.unraisablehook` is called with."""
        lines = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(raised.exc_traceback)]
        file, line = place = lines[-1] if lines else ("unknown", 0)
        if place not in self._told:
            self._told.add(place)
            self._tell(f"ignored, and told once: {raised.exc_value!r} ({file}:{line})")


def _reason_of(error: BaseException) -> str:
    text = _RECORD.sub("record", str(error))
    lines = [line.strip() for line in text.splitlines() if not _NOISE.fullmatch(line)]
    # "No implementation found for signature:" and then the signature.
    said = " ".join(lines[:2]) if lines and lines[0].endswith(":") else "".join(lines[:1])
    shown = said if len(said) <= _SHOWN else f"{said[: _SHOWN - 3]}..."
    shown += "".join(f"; {hint}" for words, hint in _HINTS.items() if words in said)
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _places_of(error: BaseException) -> Iterator[Place]:
    """The places that an error knows of, innermost first."""
    if isinstance(error, SyntaxError) and error.filename:
        yield error.filename, error.lineno or 1
    for found in _PLACE.finditer(str(error)):
        file, line = found["file"] or found["at"], found["line"] or found["number"]
        # The compiler writes paths from the folder at hand.
        yield str(Path(file).resolve()), int(line)
    yield from reversed(list(_places_on_the_way(error.__traceback__)))


def _places_on_the_way(trace: TracebackType | None) -> Iterator[Place]:
    """The lines that ran, outermost first, and those that the compiler was at: its frames have a `loc`."""
    for frame, line in traceback.walk_tb(trace):
        yield frame.f_code.co_filename, line
        location: Any = frame.f_locals.get("loc")
        if hasattr(location, "filename") and hasattr(location, "line"):
            yield str(location.filename), int(location.line)
