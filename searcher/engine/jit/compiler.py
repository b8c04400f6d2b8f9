"""The compiler: Numba and LLVM, set up for this project, and the linker of the code that is stored.

The first compilation imports this module. The import raises CompilerMissingError without Numba.

A stored library is not linked to a C library. The process that loads it resolves each C function, so the
stored code works with every version of the C library.
"""

import ctypes
import gc
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path

from searcher.engine.jit import cells, intrinsics, stack
from searcher.engine.jit.code_cache import TARGET
from searcher.engine.jit.emission import CompilerMissingError, Dispatcher, Kind, Type
from searcher.engine.jit.runtime import DEFINITIONS

try:
    import llvmlite.binding as llvm
    import numba
    from numba.core import config
    from numba.core.errors import NumbaWarning

    from searcher.engine.jit.numba_internals import bitcode_of, c_name_of, compile_c_function
    from searcher.engine.jit.numba_internals import new_callee as new_callee
except ImportError as error:
    raise CompilerMissingError() from error

# Authors of evaluators can't act on warnings about the compiler's own types.
warnings.simplefilter("ignore", NumbaWarning)

config.CPU_NAME = TARGET
config.CPU_FEATURES = ""

for _module in (cells, intrinsics, stack):
    # Numba compiles operations only of loaded modules. The use of an attribute loads a module.
    _ = _module.__doc__

_OPTIMIZATION = 3
"""The level of optimization of the machine code, the same as Numba's."""


def new_dispatcher(function: Callable[..., object], options: dict[str, object]) -> Dispatcher:
    """Return Numba's dispatcher of a function."""
    return numba.njit(**options)(function)


class CompiledFunction:
    """A function compiled for this process. Its code can also be stored for other processes.

    The constructor raises the compiler's errors.
    """

    def __init__(
        self, symbol: str, source: Callable[..., object], result: Kind | None, parameters: Sequence[Kind]
    ) -> None:
        self._symbol = symbol
        with _fewer_collections():
            self._compiled = compile_c_function(source, tuple(map(_type_of, parameters)), _type_of(result))

    @property
    def address(self) -> int:
        """The address of the function in the memory of this process. The address stays valid."""
        _USED.append(self)
        return int(self._compiled.library.get_pointer_to_function(c_name_of(self._compiled)))

    @cached_property
    def _module(self) -> llvm.ModuleRef:
        """The function alone, as an LLVM module that needs nothing of Numba."""
        module = llvm.parse_bitcode(bitcode_of(self._compiled))
        module.link_in(llvm.parse_assembly(DEFINITIONS))
        module.get_function(c_name_of(self._compiled)).name = self._symbol
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name != self._symbol:
                value.linkage = llvm.Linkage.internal
        passes = llvm.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, llvm.create_pass_builder(_machine(TARGET), llvm.create_pipeline_tuning_options()))
        return module

    @property
    def missing_symbols(self) -> list[str]:
        """The symbols that only processes with Numba have. A function that needs them can't be stored."""
        process = ctypes.CDLL(None)
        declared = [value.name for value in self._module.functions if value.is_declaration]
        return [name for name in declared if not name.startswith("llvm.") and not hasattr(process, name)]

    def object_code(self, target: str) -> bytes:
        """Return the machine code for a target, with the function under its symbol, ready to be linked."""
        return bytes(_machine(target).emit_object(self._module))


_USED: list[CompiledFunction] = []
"""Keeps compiled functions alive, because callers have only their addresses."""


@contextmanager
def _fewer_collections() -> Iterator[None]:
    """Collect garbage less often, because checking the many lasting objects takes 7 % of a compilation."""
    before = gc.get_threshold()
    gc.set_threshold(50_000, 50, 10)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _type_of(kind: Kind | None) -> Type:
    return numba.types.void if kind is None else numba.from_dtype(kind)


@cache
def _machine(target: str) -> llvm.TargetMachine:
    """Return LLVM's machine for a CPU target, whose code works at any address."""
    architecture = llvm.Target.from_triple(llvm.get_process_triple())
    return architecture.create_target_machine(cpu=target, opt=_OPTIMIZATION, reloc="pic", codemodel="small")


class LinkerError(OSError):
    """The linker is missing, or failed."""

    def __init__(self, text: str) -> None:
        super().__init__(None, text)


@cache
def _linker() -> Sequence[str]:
    """Return the command of the linker. Raises LinkerError without a linker."""
    if sys.platform == "darwin":
        return "cc", "-shared", "-undefined", "dynamic_lookup"
    for name in ("ld", "ld.lld"):
        if (path := shutil.which(name)) is not None:
            return path, *_ELF_OPTIONS
    if find_spec("ziglang") is not None:
        return sys.executable, "-m", "ziglang", "ld.lld", *_ELF_OPTIONS
    raise LinkerError("there is no linker: install binutils, or the package ziglang")


_ELF_OPTIONS = ("-shared", "--strip-all", "--hash-style=gnu", "-z", "noexecstack", "-z", "text")
"""`text` fails for code that has to be changed when it is loaded, because processes could not share it."""


def link(object_code: bytes, library: Path) -> None:
    """Write the shared library with this object code. Raises LinkerError."""
    source = library.with_suffix(".o")
    source.write_bytes(object_code)
    done = subprocess.run(
        [*_linker(), "-o", library, source], capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        raise LinkerError(f"the linker failed: {'; '.join(done.stderr.splitlines())}")
