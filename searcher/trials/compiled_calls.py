"""The functions that compiled code calls, as far as they matter to a search."""

import re
from typing import Any

_DEFINITION = re.compile(r'^define [^@]*@"?([^"(\s]+)', re.MULTILINE)
_CALL = re.compile(r'call [^@\n]*@"?([A-Za-z_][\w.]*)')

_WRAPPERS = ("_ZN7cpython", "cfunc.")
"""The beginnings of the names of functions through which Python calls compiled code. A search has others."""

_PYTHON = re.compile("numba_gil_ensure")
_RANDOM = re.compile("numba_get_(py|np)_random_state")
_MEMORY = re.compile("NRT_MemInfo_(alloc|new|varsize)")


def fault_of(dispatcher: Any, name: str) -> str:
    """Return the reason why a search can't run compiled code, or an empty string.

    A thread of a search does not hold Python's lock. Code that takes the lock waits for the thread that waits
    for the search.
    """
    if _calls(dispatcher, _PYTHON):
        return f"{name} calls Python, for example by print, and a search can't wait for Python"
    return ""


def warning_of(dispatcher: Any, name: str) -> str:
    """Return a warning about the calls of compiled code, or an empty string."""
    if _calls(dispatcher, _RANDOM):
        return f"{name} uses random numbers, so a search can't repeat its values"
    if _calls(dispatcher, _MEMORY):
        return f"{name} allocates memory at each call, which makes it slow"
    return ""


def _calls(dispatcher: Any, pattern: re.Pattern[str]) -> bool:
    return any(
        pattern.match(called)
        for compiled in dispatcher.overloads.values()
        for name, text in _functions(compiled.library.get_llvm_str())
        if not name.startswith(_WRAPPERS)
        for called in _CALL.findall(text)
    )


def _functions(module: str) -> list[tuple[str, str]]:
    """Return the name and the text of each function of a module."""
    starts = [(found.start(), found[1]) for found in _DEFINITION.finditer(module)]
    ends = [start for start, _ in starts[1:]] + [len(module)]
    return [(name, module[start:end]) for (start, name), end in zip(starts, ends, strict=True)]
