"""Finds evaluators: the files of `searcher/evaluators`, and the modules that installed packages offer.

What isn't as an evaluator should be is a fault, told to its author, and left out.
"""

import ast
import importlib.util
import inspect
import math
import pkgutil
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from searcher import evaluators
from searcher.engine.jit.code_cache import sources_of
from searcher.engine.rules.records import MAX_WEIGHTS
from searcher.interface import Evaluator, Weight
from searcher.plugins.faults import Fault, Place, fault_of

GROUP = "battlesnake.evaluators"
"""The entry points of packages that bring evaluators: its name = the module, or an object like one."""

_NAME = re.compile(r"[\w.-]+", re.ASCII)
_PARAMETERS = "game", "board", "weights", "snake"


@dataclass(frozen=True, slots=True)
class Discovery:
    """The evaluators by name, ours first, and what is wrong with the others."""

    evaluators: dict[str, Evaluator]
    faults: tuple[Fault, ...]


class _Wrong(Exception):
    """A mistake in a declaration; `of` is the name in the module that it is about."""

    def __init__(self, of: str, text: str) -> None:
        super().__init__(f"{of} {text}")
        self.of = of


@dataclass(frozen=True, slots=True)
class _Offer:
    """An evaluator that is not loaded yet, and the module that it is in."""

    name: str
    module: str
    load: Callable[[], Any]

    @property
    def file(self) -> str:
        """The module's file; the module's name where it has none."""
        try:
            spec = importlib.util.find_spec(self.module)
        except (ImportError, ValueError):
            spec = None
        return self.module if spec is None or spec.origin is None else spec.origin


def discover_evaluators() -> Discovery:
    """All evaluators. Of two with one name ours is taken, else the first by its package's name."""
    found: dict[str, Evaluator] = {}
    faults = []
    for offer in (*_in_our_folder(), *_installed()):
        if offer.name in found:
            reason = f"the name {offer.name!r} is taken by {found[offer.name].evaluate.__module__}"
            faults.append(Fault(offer.name, reason, offer.file, 1))
            continue
        try:
            found[offer.name] = _declared(offer.name, offer.load())
        except _Wrong as error:
            faults.append(Fault(offer.name, str(error), offer.file, _line_of(offer.file, error.of)))
        except (Exception, SystemExit) as error:
            faults.append(fault_of(offer.name, error, _home_of(offer.file), (offer.file, 1)))
    return Discovery(found, tuple(faults))


def place_of(evaluator: Evaluator) -> Place:
    """Where the evaluator's function begins."""
    code = evaluator.evaluate.__code__
    return code.co_filename, code.co_firstlineno


def fault_in(evaluator: Evaluator, error: BaseException) -> Fault:
    """What an error says of an evaluator that was found, with the place in its author's code."""
    place = place_of(evaluator)
    return fault_of(evaluator.name, error, _home_of(place[0]), place)


def _in_our_folder() -> Iterator[_Offer]:
    for info in pkgutil.iter_modules(evaluators.__path__):
        module = f"{evaluators.__name__}.{info.name}"
        yield _Offer(info.name, module, partial(importlib.import_module, module))


def _installed() -> Iterator[_Offer]:
    def order(entry: EntryPoint) -> tuple[str, str]:
        return entry.name, entry.dist.name if entry.dist is not None else ""

    for entry in sorted(entry_points(group=GROUP), key=order):
        yield _Offer(entry.name, entry.module, entry.load)


def _declared(name: str, module: Any) -> Evaluator:
    """The evaluator that a module declares. Raises _Wrong."""
    if not _NAME.fullmatch(name):
        raise _Wrong("", f"the name must be letters, digits, '_', '-' and '.', is {name!r}")
    for each in ("DESCRIPTION", "WEIGHTS", "evaluate"):
        if not hasattr(module, each):
            raise _Wrong(each, "is missing")
    if not _is_line(module.DESCRIPTION):
        raise _Wrong("DESCRIPTION", f"must be one line of text, is {module.DESCRIPTION!r}")
    _check_weights(module.WEIGHTS)
    _check_function("evaluate", module.evaluate, _PARAMETERS)
    at_least = getattr(module, "at_least", None)
    if at_least is not None:
        _check_function("at_least", at_least, (*_PARAMETERS, "move"))
    return Evaluator(name, module.DESCRIPTION, tuple(module.WEIGHTS), module.evaluate, at_least)


def _check_function(name: str, function: Any, parameters: tuple[str, ...]) -> None:
    if not inspect.isfunction(function):
        raise _Wrong(name, f"must be a plain function, is {function!r}; it needs no decorator")
    taken = list(inspect.signature(function).parameters)
    if len(taken) != len(parameters):
        raise _Wrong(name, f"must take ({', '.join(parameters)}), takes ({', '.join(taken)})")


def _is_line(text: Any) -> bool:
    return isinstance(text, str) and len(text.splitlines()) == 1 and text == text.strip()


def _check_weights(weights: Any) -> None:
    if not isinstance(weights, tuple | list) or not all(isinstance(weight, Weight) for weight in weights):
        raise _Wrong("WEIGHTS", f"must be a tuple of Weight, is {weights!r}")
    if len(weights) > MAX_WEIGHTS:
        raise _Wrong("WEIGHTS", f"must be at most {MAX_WEIGHTS}, are {len(weights)}")
    names = [weight.name for weight in weights]
    for index, weight in enumerate(weights):
        if fault := _fault_in(weight) or ("name is given twice" if weight.name in names[:index] else ""):
            raise _Wrong("WEIGHTS", f"[{index}], {weight.name!r}: {fault}")


def _fault_in(weight: Weight) -> str:
    """What is wrong with a weight; empty if nothing is."""
    if not isinstance(weight.name, str) or not (weight.name.isidentifier() and weight.name.isascii()):
        return "name must be an identifier"
    for field in fields(Weight)[1:4]:
        value = getattr(weight, field.name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return f"{field.name} must be a finite number, is {value!r}"
    if not weight.minimum <= weight.default <= weight.maximum:
        return f"default must be {weight.minimum} to {weight.maximum}, is {weight.default}"
    return "" if _is_line(weight.description) else "description must be one line of text"


def _line_of(file: str, name: str) -> int:
    """The line of a file that gives a name its value; 1 where none does."""
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
    """The folder, or the file, that an evaluator's author has written."""
    sources = sources_of(file)
    return sources[0] if len(sources) == 1 else Path(*_common_parts(sources))


def _common_parts(paths: tuple[Path, ...]) -> Iterator[str]:
    """The folders that all the paths begin with."""
    for parts in zip(*(path.parent.parts for path in paths), strict=False):
        if len(set(parts)) > 1:
            return
        yield parts[0]
