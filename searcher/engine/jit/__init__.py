"""Compilation with Numba: compiled functions, their storage on disk, access to memory, and sets of cells.

Of this project it imports only `position`, besides Numba and LLVM. The modules with operations of compiled
code (`cells`, `intrinsics`, `stack`) need the compiler. These modules are loaded for the first compilation,
so a process with all its code on disk starts without the compiler.
"""

import importlib.util
import sys


def _load_when_used(name: str) -> None:
    """Make a module of this package importable now, and load it on the first use of an attribute."""
    full_name = f"{__name__}.{name}"
    spec = importlib.util.find_spec(full_name)
    assert spec is not None and spec.loader is not None
    spec.loader = importlib.util.LazyLoader(spec.loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)
    globals()[name] = module


for _name in ("cells", "intrinsics", "stack"):
    _load_when_used(_name)
