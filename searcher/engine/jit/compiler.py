"""The compiler: Numba and LLVM, set up for this project. Nothing imports it until something is compiled.

The import raises CompilerMissingError where Numba is not installed.
"""

import ctypes
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any

from searcher.engine.jit import cells, intrinsics, stack
from searcher.engine.jit.code_cache import TARGET
from searcher.engine.jit.function import Function, Kind
from searcher.engine.jit.missing import CompilerMissingError
from searcher.engine.jit.runtime import DEFINITIONS

try:
    import llvmlite.binding as llvm
    import numba
    from numba.core import config
    from numba.core.ccallback import CFunc
    from numba.core.compiler_lock import global_compiler_lock

    from searcher.engine.jit.callee import CalleeCompiler
except ImportError as error:
    raise CompilerMissingError() from error

config.CPU_NAME = TARGET
config.CPU_FEATURES = ""

for _module in (cells, intrinsics, stack):
    # Numba knows the operations of a module that is loaded before it compiles; using an attribute loads it.
    _ = _module.__doc__

_OPTIMIZATION = 3
"""The level of optimization of the machine code, which is Numba's."""


def new_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a function."""
    return numba.njit(**options)(function)


def new_callee(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a function for calls from compiled code alone."""
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(**options, **without, pipeline_class=CalleeCompiler)(function)


class CompiledFunction:
    """A function compiled for this process; its code can also be stored for others.

    The constructor raises the compiler's errors.
    """

    def __init__(self, function: Function) -> None:
        self._symbol = function.symbol
        parameters = tuple(map(_type_of, function.parameters))
        signature = parameters, _type_of(function.result)
        callback = CFunc(function.source, signature, locals={}, options={"error_model": "numpy"})
        with global_compiler_lock, _fewer_collections():
            self._compiled = callback._compile_uncached()
            self._compiled.library._ensure_finalized()

    @property
    def address(self) -> int:
        """The address of the function in the memory of this process, which lasts."""
        _USED.append(self)
        return int(self._compiled.library.get_pointer_to_function(self._wrapper))

    @property
    def _wrapper(self) -> str:
        """The name that Numba gives to the C function."""
        return str(self._compiled.fndesc.llvm_cfunc_wrapper_name)

    @cached_property
    def _module(self) -> Any:
        """The function alone, as an LLVM module that needs nothing of Numba."""
        _, _, bitcode = self._compiled.library.serialize_using_bitcode()
        module = llvm.parse_bitcode(bitcode)
        module.link_in(llvm.parse_assembly(DEFINITIONS))
        module.get_function(self._wrapper).name = self._symbol
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name != self._symbol:
                value.linkage = llvm.Linkage.internal
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, llvm.create_pass_builder(_machine(TARGET), llvm.create_pipeline_tuning_options()))
        return module

    @property
    def missing_symbols(self) -> list[str]:
        """What the function calls that a process without Numba does not have: it can't be stored."""
        process = ctypes.CDLL(None)
        declared = [value.name for value in self._module.functions if value.is_declaration]
        return [name for name in declared if not name.startswith("llvm.") and not hasattr(process, name)]

    def object_code(self, target: str) -> bytes:
        """Return the machine code for a target, with the function under its symbol, ready to be linked."""
        return bytes(_machine(target).emit_object(self._module))


_USED: list[CompiledFunction] = []
"""Keeps compiled functions alive whose addresses are in use: callers hold nothing else."""


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Collect garbage less often: most objects of a compilation stay, and checking them takes 7 % of it."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 50, 10)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _type_of(kind: Kind | None) -> Any:
    return numba.types.void if kind is None else numba.from_dtype(kind)


@cache
def _machine(target: str) -> Any:
    """Return LLVM's machine for a CPU target, whose code works at any address."""
    architecture = llvm.Target.from_triple(llvm.get_process_triple())
    return architecture.create_target_machine(cpu=target, opt=_OPTIMIZATION, reloc="pic", codemodel="small")
