"""Warnings from an evaluator's source: values that are dropped, and indices below 0.

Compiled code takes an index below 0 from the end of an array, and a cell below 0 gives a wrong distance. So a
copy of the evaluator is compiled whose indices and cells are checked, each with its line.
"""

import ast
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types
from numba.extending import overload

_RECORDS = ("game", "board", "weights")

_CHECKED_CALLS = frozenset({"distance", "edge_distance", "fill", "harm", "has", "is_alive", "nearest_food"})
"""The toolkit's functions of cells and seats, beside those of `cells`. No cell or seat is below 0."""

BELOW_ZERO = (
    "uses a number below 0 as an index or a cell, as in a position without food or with one snake; "
    "first test for NO_FOOD, or for your own -1"
)

_CHECK = "__number_at_line"


def dropped_value(file: str) -> tuple[int, str] | None:
    """Return the first line of a file with an expression that has no effect, and the warning."""
    found = [
        (
            node.lineno,
            f"drops the value of {ast.unparse(node.value)}; assign or return it, or remove the line",
        )
        for node in ast.walk(_tree(file))
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call | ast.Constant | ast.Yield)
    ]
    return min(found, default=None)


def checked_copy(function: Callable[..., float], file: str) -> Callable[..., float]:
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
    tree = ast.fix_missing_locations(_Checks().visit(_tree(file)))
    exec(compile(tree, file, "exec"), names)
    copy: Callable[..., float] = names[function.__name__]
    return copy


class _Checks(ast.NodeTransformer):
    """Puts checks around the indices of the records' fields, and around the arguments of the toolkit."""

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
