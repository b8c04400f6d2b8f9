"""The declaration of an evaluator: a module's DESCRIPTION, WEIGHTS and `evaluate`."""

import inspect
import math
import re
from typing import Any

from searcher.engine.rules.records import MAX_WEIGHTS
from searcher.interface import Weight

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
