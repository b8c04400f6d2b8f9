"""Faults of evaluators. The author gets one line for each fault: the reason, the file and the line.

Faults that a search has found pass to the process that replaces this one.
"""

import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

_MAX_REASON = 200
"""Characters of a reason. The compiler's errors fill pages."""

_PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)|(?P<at>\S+\.py) \((?P<number>\d+)\)')
"""A file and a line in the text of the compiler's errors."""

_NOISE = re.compile(r"Failed in \w+ mode pipeline.*|\s*")
_RAISED = re.compile(r"\.? Raised from .*")
_COLOR = re.compile(r"\x1b\[[\d;]*m")
_RECORD = re.compile(r"Record\(\[.*?\], \d+, (True|False)\)")

_NO_NUMBA = "No module named 'numba'"
_COMPILE = "; searcher.toolkit has njit, too; compiling needs the extra compile"

Place = tuple[str, int]
"""A file and a line of it, counted from 1."""


class EvaluatorFault(msgspec.Struct, frozen=True):
    """The reason why an evaluator is left out."""

    evaluator: str
    reason: str
    file: str
    line: int

    @property
    def line_of_text(self) -> str:
        """The reason and the place, without the name of the evaluator."""
        return f"{self.reason} ({self.file}:{self.line})"

    def __str__(self) -> str:
        return f"evaluator {self.evaluator} is left out: {self.line_of_text}"


class FaultyEvaluatorError(ValueError):
    """A request for a faulty evaluator."""

    def __init__(self, fault: EvaluatorFault) -> None:
        super().__init__(fault)
        self.fault = fault

    def __str__(self) -> str:
        return f"evaluator {self.fault.evaluator} can't play: {self.fault.line_of_text}"


def fault_from_error(
    evaluator: str, error: BaseException, home: Path, default: Place, explanation: str = ""
) -> EvaluatorFault:
    """Return the fault of an evaluator for an error.

    `home` is the folder or file with the author's code. The fault's place is the innermost place of the error
    that lies in `home`, or else `default`. The reason is the explanation, or else the error's own text.
    """
    places = [place for place in _places_of(error) if Path(place[0]).is_relative_to(home)]
    file, line = places[0] if places else default
    return EvaluatorFault(evaluator, explanation or _reason_of(error), file, line)


class ReportOnce:
    """A handler of errors that Python can't raise. It reports errors at the same place once.

    Such errors come from evaluators during a search. The search goes on with 0 as the evaluator's value. The
    same error may occur a million times a minute.
    """

    def __init__(self, report: Callable[[str], object]) -> None:
        self._report = report
        self._reported: set[Place] = set()

    def __call__(self, raised: "sys.UnraisableHookArgs") -> None:
        """Report an error, as `sys.unraisablehook`."""
        lines = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(raised.exc_traceback)]
        file, line = place = lines[-1] if lines else ("unknown", 0)
        if place not in self._reported:
            self._reported.add(place)
            self._report(f"ignored, and reported only once: {raised.exc_value!r} ({file}:{line})")


def _reason_of(error: BaseException) -> str:
    own = error.msg if isinstance(error, SyntaxError) else str(error)
    text = _RECORD.sub("record", _COLOR.sub("", own))
    lines = [_RAISED.sub("", line).strip() for line in text.splitlines() if not _NOISE.fullmatch(line)]
    # "No implementation found for signature:" is followed by a line with the signature.
    message = " ".join(lines[:2]) if lines and lines[0].endswith(":") else "".join(lines[:1])
    shown = message if len(message) <= _MAX_REASON else f"{message[: _MAX_REASON - 3]}..."
    remedy = _COMPILE if _NO_NUMBA in message else ""
    return f"{type(error).__name__}: {shown}{remedy}" if shown else type(error).__name__


def _places_of(error: BaseException) -> Iterator[Place]:
    """Yield the places in an error, innermost first."""
    if isinstance(error, SyntaxError) and error.filename:
        yield error.filename, error.lineno or 1
    for found in _PLACE.finditer(str(error)):
        file, line = found["file"] or found["at"], found["line"] or found["number"]
        # The compiler writes paths relative to the working directory.
        yield str(Path(file).resolve()), int(line)
    yield from reversed(list(_places_in_traceback(error.__traceback__)))


def _places_in_traceback(trace: TracebackType | None) -> Iterator[Place]:
    """Yield the lines that ran, outermost first, and the lines being compiled, from the compiler's frames."""
    for frame, line in traceback.walk_tb(trace):
        yield frame.f_code.co_filename, line
        # The compiler's frames have the line that they compile as `loc`.
        location: Any = frame.f_locals.get("loc")
        if hasattr(location, "filename") and hasattr(location, "line"):
            yield str(location.filename), int(location.line)


_VARIABLE = "SEARCHER_TAKEN_OFF"
"""The variable with the evaluators that a search has found faulty: a JSON list. It is no setting of users.

A search that does not end can be ended only with its process. The process starts again with the same
environment, and leaves out these evaluators.
"""


def remember(fault: EvaluatorFault) -> None:
    """Let the next process in this environment leave out an evaluator."""
    os.environ[_VARIABLE] = msgspec.json.encode([*remembered(), fault]).decode()


def remembered() -> list[EvaluatorFault]:
    """Return the faults that former processes have found."""
    try:
        return msgspec.json.decode(os.environ.get(_VARIABLE, "[]"), type=list[EvaluatorFault])
    except msgspec.DecodeError:
        return []
