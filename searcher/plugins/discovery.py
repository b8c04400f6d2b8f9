"""Discovery of evaluators, in `searcher/evaluators` and in installed packages.

A module declares an evaluator by DESCRIPTION, WEIGHTS and `evaluate`. A module with a mistake in its
declaration is left out, with a fault for its author to read.
"""

import ast
import hashlib
import importlib.util
import inspect
import math
import os
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from searcher import evaluators
from searcher.engine.jit.code_cache import source_digest, sources_of, stamp_of
from searcher.engine.rules.records import MAX_WEIGHTS
from searcher.interface import Evaluator, Weight
from searcher.plugins.faults import EvaluatorFault, Place, fault_from_error
from searcher.plugins.mistakes import explanation, import_explanation

GROUP = "battlesnake.evaluators"
"""The entry point group of evaluators. An entry NAME = MODULE names a module, or an object with its
attributes."""

REINSTALL = (
    "to add an entry point, install its package again with `pip install --editable FOLDER`, in a checkout "
    "with `.venv/bin/pip`"
)
"""The remedy for an evaluator that is not found. Python finds an entry point only after an installation."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """The valid evaluators by name, this project's evaluators first, and the faults of invalid evaluators."""

    evaluators: dict[str, Evaluator]
    faults: tuple[EvaluatorFault, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An evaluator that is not loaded yet, and its module."""

    name: str
    module: str
    load: Callable[[], Any]

    @property
    def file(self) -> str:
        """The module's file, or the module's name if it has no file."""
        try:
            spec = importlib.util.find_spec(self.module)
        except (ImportError, ValueError):
            spec = None
        return self.module if spec is None or spec.origin is None else spec.origin


def discover_evaluators() -> Discovery:
    """Load all evaluators.

    Of evaluators with the same name, this project's evaluator is kept. If they are all from other packages,
    it is the evaluator whose package name comes first in the alphabet.
    """
    found: dict[str, Evaluator] = {}
    faults = []
    for candidate in (*_in_our_folder(), *_installed()):
        name = candidate.name
        if name in found:
            reason = f"the name {name!r} is taken by {found[name].evaluate.__module__}"
            faults.append(EvaluatorFault(name, reason, candidate.file, 1))
            continue
        try:
            found[name] = _evaluator_of(name, candidate.load())
        except DeclarationError as error:
            file = candidate.file
            faults.append(EvaluatorFault(name, str(error), file, _line_of(file, error.name)))
        except (Exception, SystemExit) as error:
            file = candidate.file
            explained = import_explanation(error)
            faults.append(fault_from_error(name, error, _home_of(file), (file, 1), explained))
    return Discovery(found, tuple(faults))


def place_of(evaluator: Evaluator) -> Place:
    """Return the place where the evaluator's function begins."""
    code = evaluator.evaluate.__code__
    return code.co_filename, code.co_firstlineno


def evaluator_fault(evaluator: Evaluator, error: BaseException) -> EvaluatorFault:
    """Return the fault of an evaluator for an error, with the place of the error in the author's code."""
    place = place_of(evaluator)
    explained = explanation(evaluator, error)
    return fault_from_error(evaluator.name, error, _home_of(place[0]), place, explained)


def _in_our_folder() -> Iterator[_Candidate]:
    for info in pkgutil.iter_modules(evaluators.__path__):
        module = f"{evaluators.__name__}.{info.name}"
        yield _Candidate(info.name, module, partial(importlib.import_module, module))


def _installed() -> Iterator[_Candidate]:
    def order(entry: EntryPoint) -> tuple[str, str]:
        return entry.name, entry.dist.name if entry.dist is not None else ""

    for entry in sorted(entry_points(group=GROUP), key=order):
        yield _Candidate(entry.name, entry.module, entry.load)


def _evaluator_of(name: str, module: Any) -> Evaluator:
    """Return the evaluator that a module declares. Raises DeclarationError."""
    check_declaration(name, module)
    digest = code_digest(module.evaluate.__code__.co_filename)
    return Evaluator(name, module.DESCRIPTION, tuple(module.WEIGHTS), module.evaluate, digest)


def _line_of(file: str, name: str) -> int:
    """Return the line of a file that defines a name, or 1 without such a line."""
    try:
        tree = ast.parse(Path(file).read_text())
    except (OSError, SyntaxError, ValueError):
        return 1
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
        if name in {getattr(target, "id", getattr(target, "name", None)) for target in targets}:
            return node.lineno
    return 1


def _home_of(file: str) -> Path:
    """Return the folder or file with the code of an evaluator's author."""
    return Path(os.path.commonpath(sources_of(file)))


_NAME = re.compile(r"[\w.-]+", re.ASCII)
_PARAMETERS = "game", "board", "weights", "snake"
_RESUMED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
"""The flags of functions whose call returns no value yet."""


class DeclarationError(Exception):
    """A mistake in a module's declaration of `name`."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name} {text}")
        self.name = name


def check_declaration(name: str, module: Any) -> None:
    """Check the evaluator `name` that a module declares. Raises DeclarationError."""
    if not _NAME.fullmatch(name):
        raise DeclarationError("", f"the name must be letters, digits, '_', '-' and '.', not {name!r}")
    for each in ("DESCRIPTION", "WEIGHTS", "evaluate"):
        if not hasattr(module, each):
            raise DeclarationError(each, "is missing")
    if not _is_line(module.DESCRIPTION):
        raise DeclarationError("DESCRIPTION", f"must be one line of text, not {module.DESCRIPTION!r}")
    _check_weights(module.WEIGHTS)
    _check_function(module.evaluate)


def _check_function(function: object) -> None:
    if not inspect.isfunction(function):
        remedy = " without a decorator" if callable(function) else f", not {function!r}"
        raise DeclarationError("evaluate", f"must be a plain function{remedy}")
    if function.__code__.co_flags & _RESUMED:
        raise DeclarationError("evaluate", "must be a plain function without async or yield")
    taken = list(inspect.signature(function).parameters)
    if len(taken) != len(_PARAMETERS):
        raise DeclarationError("evaluate", f"must take ({', '.join(_PARAMETERS)}), not ({', '.join(taken)})")


def _is_line(text: object) -> bool:
    return isinstance(text, str) and len(text.splitlines()) == 1 and text == text.strip()


def _check_weights(weights: object) -> None:
    if not isinstance(weights, tuple | list) or not all(isinstance(weight, Weight) for weight in weights):
        raise DeclarationError("WEIGHTS", f"must be a tuple of Weight, not {weights!r}")
    if len(weights) > MAX_WEIGHTS:
        raise DeclarationError("WEIGHTS", f"must be at most {MAX_WEIGHTS}, not {len(weights)}")
    names = [weight.name for weight in weights]
    for index, weight in enumerate(weights):
        repeated = "name is given twice" if weight.name in names[:index] else ""
        if mistake := _weight_mistake(weight) or repeated:
            raise DeclarationError("WEIGHTS", f"[{index}], {weight.name!r}: {mistake}")


def _weight_mistake(weight: Weight) -> str:
    """Return the mistake in a weight, or an empty string."""
    if not isinstance(weight.name, str) or not (weight.name.isidentifier() and weight.name.isascii()):
        return "name must be an identifier"
    for name in ("default", "minimum", "maximum"):
        value = getattr(weight, name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return f"{name} must be a finite number, not {value!r}"
    if not weight.minimum <= weight.default <= weight.maximum:
        return f"default must be {weight.minimum} to {weight.maximum}, not {weight.default}"
    return "" if _is_line(weight.description) else "description must be one line of text"


_SEARCHER = Path(__file__).resolve().parents[1]
_DIGITS = 16


def code_digest(file: str) -> str:
    """Return a digest of the evaluator's sources, by its file, and of all code that every search uses.

    The digest is the same on every machine, wherever the code is installed.
    """
    digest = hashlib.sha256(f"{source_digest()} {stamp_of(file)}".encode())
    for name in ("session.py", "strategies.py"):
        digest.update((_SEARCHER / name).read_bytes())
    return digest.hexdigest()[:_DIGITS]
