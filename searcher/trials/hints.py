"""Warnings from an evaluator's source: values that are dropped, indices below 0, and NOWHERE as a number.

Compiled code takes an index below 0 from the end of an array, and a cell below 0 gives a wrong distance. So a
copy of the evaluator is compiled whose indices and cells are checked, each with its line. The copy also has
another number for NOWHERE. Only `python -m searcher try` looks for these warnings, because it costs seconds.
"""

import ast
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numba import types
from numba.extending import overload

from searcher import toolkit
from searcher.engine.rules.packing import living
from searcher.interface import Evaluator
from searcher.plugins.discovery import place_of
from searcher.trials import far
from searcher.trials.outcome import SHAPE
from searcher.trials.trial import arguments_for, compiled, positions_of, weights_of

_RECORDS = ("game", "board", "weights")

_CHECKED_CALLS = frozenset({"distance", "edge_distance", "fill", "harm", "has", "is_alive", "nearest_food"})
"""The toolkit's functions of cells and seats, beside those of `cells`. No cell or seat is below 0."""

BELOW_ZERO = (
    "uses a number below 0 as an index or a cell, as in a position without food or with one snake; "
    "first test for NO_FOOD, or for your own -1"
)

AS_STEPS = (
    "counts with NOWHERE as if it were a number of steps; first test for NOWHERE, or take min(steps, LIMIT)"
)

_TOOLKIT = "searcher.toolkit"
_WITHOUT_NOWHERE = frozenset({"numba", "numpy", *sys.stdlib_module_names})
"""Packages whose functions don't know NOWHERE."""

_LEAST_CHANGE = 0.05
"""The change of a value that is worth a warning. 1 / steps and 0.9**steps may take NOWHERE for far away."""

_CHECK = "__number_at_line"

Hint = tuple[int, str]
"""A line of the evaluator's file, and a warning."""


def hints_about(evaluator: Evaluator) -> list[Hint]:
    """Return a warning of each kind about an evaluator that has passed its trial."""
    file, line = place_of(evaluator)
    found = [] if (dropped := _dropped_value(_tree(file))) is None else [dropped]
    try:
        return [*found, *_doubtful_numbers(evaluator, file, line)]
    except Exception:
        # The copy differs in its types, and the compiler may refuse it: then there is nothing to warn of.
        return found


def _dropped_value(tree: ast.Module) -> Hint | None:
    """Return the first line with an expression that has no effect, and the warning."""
    found = [
        (
            node.lineno,
            f"drops the value of {ast.unparse(node.value)}; assign or return it, or remove the line",
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call | ast.Constant | ast.Yield)
    ]
    return min(found, default=None)


def _doubtful_numbers(evaluator: Evaluator, file: str, line: int) -> Iterator[Hint]:
    """Yield a warning about a number below 0 that is used, and one about NOWHERE. `line` is of `evaluate`."""
    tree, weights = _tree(file), weights_of(evaluator, "default")
    uses_nowhere = _give_another_nowhere(tree)
    copy = compiled(_checked_copy(evaluator.evaluate, tree, file))
    evaluate = compiled(evaluator.evaluate) if uses_nowhere else copy
    below_zero, as_steps = None, False
    for packed in positions_of(SHAPE):
        for snake in living(packed):
            arguments = arguments_for(packed, weights, snake)
            try:
                value = copy(*arguments)
            except IndexError as error:
                if isinstance(error.args[0], int):
                    below_zero = below_zero or error.args[0]
                else:
                    # Only the other NOWHERE is outside of the array.
                    as_steps = True
                continue
            # Random numbers change a value, too.
            usual, again = evaluate(*arguments), evaluate(*arguments)
            as_steps = as_steps or (usual == again and not abs(value - usual) <= _LEAST_CHANGE)
    if below_zero:
        yield below_zero, BELOW_ZERO
    if as_steps:
        yield line, AS_STEPS


def _give_another_nowhere(tree: ast.Module) -> bool:
    """Let a module import `far` in place of the toolkit. Return whether that may change its values.

    A module that imports others, such as its author's, keeps the toolkit: they have the usual NOWHERE.
    """
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in imports:
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            modules = ["." * node.level + (node.module or "")]
        if any(each != _TOOLKIT and each.partition(".")[0] not in _WITHOUT_NOWHERE for each in modules):
            return False
    ours = [node for node in imports if isinstance(node, ast.ImportFrom) and node.module == _TOOLKIT]
    for node in ours:
        node.module = far.__name__
    names = {alias.name for node in ours for alias in node.names} & vars(far).keys()
    return any(getattr(far, name) is not getattr(toolkit, name, None) for name in names)


def _checked_copy(function: Callable[..., float], tree: ast.Module, file: str) -> Callable[..., float]:
    """Return a copy of an evaluator's function that raises IndexError(line) for an index or a cell below 0.

    The copy is of the whole module, because the function may call others there.
    """
    module = sys.modules[function.__module__]
    names: dict[str, Any] = {
        "__name__": module.__name__,
        "__package__": module.__package__,
        "__file__": file,
        _CHECK: _check,
    }
    exec(compile(ast.fix_missing_locations(_Checks().visit(tree)), file, "exec"), names)
    copy: Callable[..., float] = names[function.__name__]
    return copy


class _Checks(ast.NodeTransformer):
    """Adds checks to indices into the records' fields, and to the cells and seats that the toolkit gets."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Attribute) and getattr(node.value.value, "id", "") in _RECORDS:
            node.slice = self._checked(node.slice)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        module = getattr(getattr(node.func, "value", None), "id", "")
        if module == "cells" or getattr(node.func, "id", "") in _CHECKED_CALLS:
            node.args = [self._checked(each) for each in node.args]
        return node

    @staticmethod
    def _checked(number: ast.expr) -> ast.expr:
        # The compiler needs to know a field's name, and a tuple or a slice is no number.
        if isinstance(number, ast.Slice | ast.Tuple | ast.Starred) or (
            isinstance(number, ast.Constant) and not isinstance(number.value, int)
        ):
            return number
        arguments = [number, ast.Constant(number.lineno)]
        return ast.copy_location(ast.Call(ast.Name(_CHECK, ast.Load()), arguments, []), number)


def _tree(file: str) -> ast.Module:
    return ast.parse(Path(file).read_text())


def _check(number: Any, line: int) -> Any:
    """Return a value unchanged. Raises IndexError(line) in compiled code for an integer below 0."""


@overload(_check, strict=False)  # type: ignore[untyped-decorator]
def _compiled_check(number: Any, line: Any) -> Callable[..., Any]:
    if isinstance(number, types.Integer) and number.signed:

        def check(number: Any, line: int) -> Any:
            if number < 0:
                raise IndexError(line)
            return number

        return check
    return lambda number, line: number
