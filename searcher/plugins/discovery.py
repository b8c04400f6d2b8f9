"""Discovery of evaluators, in `searcher/evaluators` and in installed packages.

A module with a mistake in its declaration is left out, with a fault for its author to read.
"""

import ast
import hashlib
import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from searcher import evaluators
from searcher.engine.jit.code_cache import sources_of
from searcher.interface import Evaluator
from searcher.plugins.declaration import DeclarationError, check_declaration
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
    sources = sources_of(file)
    return sources[0] if len(sources) == 1 else Path(*_common_parts(sources))


def _common_parts(paths: tuple[Path, ...]) -> Iterator[str]:
    """Yield the folders that all the paths begin with."""
    for parts in zip(*(path.parent.parts for path in paths), strict=False):
        if len(set(parts)) > 1:
            return
        yield parts[0]


_SEARCHER = Path(__file__).resolve().parents[1]
_DIGITS = 16


def code_digest(file: str) -> str:
    """Return a digest of the evaluator's sources, by its file, and of all code that every search uses.

    The digest is the same on every machine, wherever the code is installed.
    """
    digest = hashlib.sha256(_digest_of_every_search() + _digest(sources_of(file)))
    return digest.hexdigest()[:_DIGITS]


@cache
def _digest_of_every_search() -> bytes:
    engine = sorted((_SEARCHER / "engine").rglob("*.py"))
    return _digest((*engine, _SEARCHER / "session.py", _SEARCHER / "strategies.py"))


def _digest(paths: Iterable[Path]) -> bytes:
    digest = hashlib.sha256()
    for path in paths:
        # The code of an evaluator may be without a file.
        content = path.read_bytes() if path.is_file() else b""
        digest.update(b"%s\0%d\0%s" % (path.name.encode(), len(content), content))
    return digest.digest()
