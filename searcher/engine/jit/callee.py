"""How functions are compiled that only compiled code calls: no further than their callers need.

Numba would generate machine code for each of them, and wrap it for callers in Python. But all of it becomes
part of the functions that call it, where it is optimized and generated again.
"""

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _CalleeLibrary(JITCodeLibrary):
    """The code of a function, to be linked into that of its callers; it never becomes machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        # Numba would optimize each function before it is linked; the passes below do that again.
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        # Without this its callers would be optimized less well, and 2 % slower.
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
        # The tables want a Python function; nobody calls this one, whose address is 0.
        entry = _dynfunc.make_function(
            described.lookup_module(), described.qualname, "", 0, state.cr.env, (state.library,)
        )
        state.targetctx.insert_user_function(entry, described, [state.library])
        state.cr = state.cr._replace(cfunc=entry)
        return True


class CalleeCompiler(CompilerBase):
    """Numba's pipeline with the last pass replaced."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.passes = [
            (_CalleeLowering if each is NativeLowering else each, text) for each, text in pipeline.passes
        ]
        pipeline.finalize()
        return [pipeline]
