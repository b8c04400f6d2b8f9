"""Evaluators that a search has found faulty, as a process tells its successor.

A search that does not end can be ended only with its process. The process starts again with the same
environment, and leaves out the evaluators of this variable. An evaluator whose code has changed plays again.
"""

import os
from collections.abc import Iterable, Mapping

import msgspec

from searcher.interface import Evaluator
from searcher.plugins.faults import EvaluatorFault

_VARIABLE = "SEARCHER_TAKEN_OFF"
"""The variable: a JSON list. It is no setting of users."""


class _Entry(msgspec.Struct):
    """A fault that a search has found in the code with this digest."""

    fault: EvaluatorFault
    digest: str


def remember(evaluator: Evaluator, fault: EvaluatorFault) -> None:
    """Let the next process in this environment leave out an evaluator."""
    entries = [*_entries(), _Entry(fault, evaluator.code_digest)]
    os.environ[_VARIABLE] = msgspec.json.encode(entries).decode()


def remembered(evaluators: Mapping[str, Evaluator]) -> Iterable[EvaluatorFault]:
    """Yield the faults that former processes have found in these evaluators."""
    for entry in _entries():
        evaluator = evaluators.get(entry.fault.evaluator)
        if evaluator is not None and evaluator.code_digest == entry.digest:
            yield entry.fault


def _entries() -> list[_Entry]:
    try:
        return msgspec.json.decode(os.environ.get(_VARIABLE, "[]"), type=list[_Entry])
    except msgspec.DecodeError:
        return []
