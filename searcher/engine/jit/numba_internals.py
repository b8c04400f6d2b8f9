"""All uses of Numba's private parts. A new version of Numba may change them without notice.

`pyproject.toml` bounds Numba's version for this reason. The test `test_numba_internals.py` names each of the
parts. The import raises ImportError without Numba.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba import _dynfunc
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering
from numba.np.arrayobj import populate_array

from searcher.engine.jit.emission import Builder, Compiled, Dispatcher, Target, Type, Value


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


def new_callee(function: Callable[..., object], options: dict[str, object]) -> Dispatcher:
    """Return Numba's dispatcher of a function for calls from compiled code alone."""
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(**options, **without, pipeline_class=CalleeCompiler)(function)


def compile_c_function(source: Callable[..., object], parameters: tuple[Type, ...], result: Type) -> Compiled:
    """Return the compiler's result for a C function with these types. Raises the compiler's errors."""
    callback = CFunc(source, (parameters, result), locals={}, options={"error_model": "numpy"})
    with global_compiler_lock:
        compiled = callback._compile_uncached()
        compiled.library._ensure_finalized()
    return compiled


def c_name_of(compiled: Compiled) -> str:
    """Return the name of the C function in the compiler's result."""
    return str(compiled.fndesc.llvm_cfunc_wrapper_name)


def bitcode_of(compiled: Compiled) -> bytes:
    """Return the code of a compiler's result as LLVM's bitcode."""
    _, _, bitcode = compiled.library.serialize_using_bitcode()
    return bytes(bitcode)


def numba_type_of(dispatcher: Dispatcher) -> Type:
    """Return the Numba type of a global variable that holds a dispatcher."""
    return dispatcher._numba_type_


def new_array(context: Target, builder: Builder, kind: Type, data: Value, count: int, width: int) -> Value:
    """Emit an array of this type for `count` elements of `width` bytes at the address `data`."""
    array = context.make_array(kind)(context, builder)
    length, step = (context.get_constant(numba.types.intp, number) for number in (count, width))
    populate_array(array, data=data, shape=(length,), strides=(step,), itemsize=step, meminfo=None)
    return array._getvalue()
