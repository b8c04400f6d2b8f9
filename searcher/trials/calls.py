"""The functions that compiled code calls, and the reasons why a search can't, or should not, make such calls.

A search runs compiled code in many threads, and Python code could run in only one of them at a time. If the
compiled code calls Python, searches wait for each other and for the searcher's event loop, or forever.
"""

from collections.abc import Collection, Iterator

import llvmlite.binding as llvm

from searcher.engine.jit.emission import Compiled
from searcher.engine.jit.numba_internals import bitcode_of

_PYTHON = ("Py", "_Py", "numba_gil_")
"""The beginnings of the names of functions of Python, and of functions that wait for Python's lock."""

_PRINTING = frozenset({"PySys_FormatStdout", "PySys_WriteStdout"})

_ALLOCATING = ("NRT_MemInfo_alloc", "NRT_MemInfo_new", "numba_list_new", "numba_dict_new", "numba_set_new")
"""The beginnings of the names of functions that get memory. Exceptions use others of the same library."""

_RANDOM = ("numba_get_py_random", "numba_get_np_random", "numba_rnd_")


def external_calls(compiled: Compiled) -> Collection[str]:
    """Return the names of the functions outside of its own code that a function calls, directly or not.

    `compiled` is a result of Numba's compiler. Calls that the optimizer has removed are not listed, and
    neither is the code that builds the exceptions of the function.
    """
    module = llvm.parse_bitcode(bitcode_of(compiled))
    bodies = {function.name: function for function in module.functions if not function.is_declaration}
    found, left = set(), [str(compiled.fndesc.llvm_func_name)]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += _calls_in(bodies[name]) if name in bodies else ()
    return found - bodies.keys()


def _calls_in(function: llvm.ValueRef) -> Iterator[str]:
    for block in function.blocks:
        for instruction in block.instructions:
            if instruction.opcode == "call":
                *_, callee = instruction.operands
                yield callee.name


def forbidden_call(function: str, calls: Collection[str]) -> str:
    """Return the reason why a search can't run a function that makes these calls, or an empty string."""
    if not (python := sorted(name for name in calls if name.startswith(_PYTHON))):
        return ""
    if not _PRINTING.isdisjoint(calls):
        return f"{function} calls print, and a search can't run Python code; remove the call"
    example = next((name for name in python if name.startswith("PyObject_Call")), python[0])
    return f"{function} calls Python ({example}), and a search can't run Python code; remove objmode"


def doubtful_calls(calls: Collection[str]) -> Iterator[str]:
    """Yield what makes a search slow or not repeatable, as the end of a sentence about an evaluator."""
    if any(name.startswith(_ALLOCATING) for name in calls):
        yield (
            "allocates memory at each call, so it is slower, and each process compiles it again "
            "(the toolkit's cells and stack need no memory)"
        )
    if any(name.startswith(_RANDOM) for name in calls):
        yield "draws random numbers, so two searches of the same position differ"
