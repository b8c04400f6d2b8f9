"""The decorator for functions that are called by compiled code. The first compilation loads the compiler."""

from collections.abc import Callable
from functools import cached_property, update_wrapper
from typing import Any, TypeVar, cast

from searcher.engine.jit.emission import Dispatcher, Type

_Function = TypeVar("_Function", bound=Callable[..., object])


class Compilable:
    """A function that is compiled for the types with which it is called.

    Compiled code can call it, because Numba treats it like the dispatcher that Numba's `njit` makes. A call
    from Python compiles and runs the function. `py_func` is the function in Python.
    """

    def __init__(self, function: Callable[..., object], options: dict[str, object]) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self._options = options

    @cached_property
    def dispatcher(self) -> Dispatcher:
        """Numba's dispatcher. Raises CompilerMissingError without Numba."""
        from searcher.engine.jit.compiler import new_dispatcher

        return new_dispatcher(self.py_func, self._options)

    @cached_property
    def callee(self) -> Dispatcher:
        """The dispatcher for calls from compiled code alone. It compiles in less time."""
        from searcher.engine.jit.compiler import new_callee

        return new_callee(self.py_func, self._options)

    @property
    def _numba_type_(self) -> Type:
        """The Numba type of a global variable that holds this function."""
        from searcher.engine.jit.numba_internals import numba_type_of

        return numba_type_of(self.callee)

    def __call__(self, *arguments: object) -> Any:
        """Compile the function for these arguments, if necessary, and call it."""
        return self.dispatcher(*arguments)


def njit(function: _Function | None = None, **options: object) -> Any:
    """Mark a function for compiled code, as Numba's `njit` does, with the same options."""

    def mark(function: _Function) -> _Function:
        return cast(_Function, Compilable(function, options))

    return mark if function is None else mark(function)
