"""Names for the objects of Numba and LLVM that compile functions, and the error without Numba.

Their classes are unknown to mypy, because Numba's annotations describe other objects.
"""

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as np

Kind: TypeAlias = np.dtype[Any]
"""The type of a parameter or result: a number, or a record, passed as a pointer."""

TypingContext: TypeAlias = Any
"""Numba's context of types, the first parameter of an operation. No operation here uses it."""

Type: TypeAlias = Any
"""A type of Numba (`numba.types.Type`): of an argument, or of a result."""

Target: TypeAlias = Any
"""Numba's context of the machine: it converts values, and makes constants and types of LLVM."""

Builder: TypeAlias = Any
"""LLVM's builder of instructions (`llvmlite.ir.IRBuilder`)."""

Value: TypeAlias = Any
"""A value or a type of LLVM (`llvmlite.ir.Value`). The type of a set of cells is a vector of words."""

Dispatcher: TypeAlias = Any
"""Numba's dispatcher of a function: it compiles the function for types of arguments, and calls it."""

Compiled: TypeAlias = Any
"""A result of Numba's compiler: the code of a function for given types, and its description."""

Operation: TypeAlias = tuple[Type, Callable[[Target, Builder, Type, Sequence[Value]], Value]]
"""An operation for given types: its signature (types of the result and the arguments), and its emitter."""


def compiler_is_installed() -> bool:
    """Return whether Numba is installed."""
    return find_spec("numba") is not None


class CompilerMissingError(RuntimeError):
    """Code has to be compiled, and Numba is not installed."""

    def __init__(self) -> None:
        super().__init__("it has to be compiled, which needs pip install 'battlesnake-search[compile]'")
