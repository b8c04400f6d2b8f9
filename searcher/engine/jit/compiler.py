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
from typing import Any

from searcher.engine.jit import cells, intrinsics, stack
from searcher.engine.jit.code_cache import TARGET
from searcher.engine.jit.function import CompilerMissingError, Function, Kind
from searcher.engine.jit.runtime import DEFINITIONS

try:
    import llvmlite.binding as llvm
    import numba
    from numba import _dynfunc
    from numba.core import config
    from numba.core.ccallback import CFunc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.compiler_machinery import register_pass
    from numba.core.errors import NumbaWarning
    from numba.core.typed_passes import NativeLowering
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


class _CalleeLibrary(JITCodeLibrary):
    """The code of a function, to be linked into its callers. It never becomes machine code by itself."""

    def _optimize_functions(self, ll_module: Any) -> None:
        # Numba would optimize each function before it is linked, and the passes below do that again.
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        # Without this, optimization of the callers is worse, and they are 2 % slower.
        cheap = {"loop_vectorize": False, "slp_vectorize": False, "opt": 1, "cost": "cheap"}
        passes, builder = self._codegen._module_pass_manager(**cheap)
        passes.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _CalleeLowering(NativeLowering):
    """Numba's last pass, without the machine code."""

    _name = "callee_lowering"

    def run_pass(self, state: Any) -> bool:
        """Generate the function's code, and enter it into the compiler's tables."""
        state.library = _CalleeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.flags = state.flags.copy()
        state.flags.no_compile = True
        super().run_pass(state)
        described = state.cr.fndesc
        # The tables need a Python function. This one has the address 0 and is never called.
        entry = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", 0, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, described, [state.library])
        state.cr = state.cr._replace(cfunc=entry)
        return True


class CalleeCompiler(CompilerBase):
    """Numba's pipeline, with another last pass, for functions that are called only by compiled code.

    Numba would generate machine code for each function, and wrap it for callers in Python. That would be
    wasted work. The function's code becomes part of its callers, and is optimized and generated there.
    """

    def define_pipelines(self) -> list[Any]:
        """Return the passes."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_CalleeLowering if each is NativeLowering else each, text) for each, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]


def new_dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a function."""
    return numba.njit(**options)(function)


def new_callee(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Return Numba's dispatcher of a function for calls from compiled code alone."""
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(**options, **without, pipeline_class=CalleeCompiler)(function)


class CompiledFunction:
    """A function compiled for this process. Its code can also be stored for other processes.

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
        """The address of the function in the memory of this process. The address stays valid."""
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


def _type_of(kind: Kind | None) -> Any:
    return numba.types.void if kind is None else numba.from_dtype(kind)


@cache
def _machine(target: str) -> Any:
    """Return LLVM's machine for a CPU target, whose code works at any address."""
    architecture = llvm.Target.from_triple(llvm.get_process_triple())
    return architecture.create_target_machine(cpu=target, opt=_OPTIMIZATION, reloc="pic", codemodel="small")


class LinkerError(OSError):
    """The linker is missing, or failed."""

    def __init__(self, text: str) -> None:
        super().__init__(None, text)


@cache
def _linker() -> Sequence[str]:
    """Return the command of the linker. Raises LinkerError without one."""
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
