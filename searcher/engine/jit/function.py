"""Functions called by address, from Python or compiled code. Each is loaded from disk, or else compiled."""

import ctypes
import hashlib
import re
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from searcher.engine.jit import code_cache
from searcher.engine.jit.code_cache import CacheWarning
from searcher.engine.jit.emission import Kind

INT64: Kind = np.dtype(np.int64)
FLOAT64: Kind = np.dtype(np.float64)

_DIGEST_DIGITS = 16


@dataclass(frozen=True)
class Function:
    """A C function: its source in Python, the kind of its result, if any, and the kinds of its parameters."""

    source: Callable[..., object]
    result: Kind | None
    parameters: tuple[Kind, ...]

    @cached_property
    def name(self) -> str:
        """The name of its library: the source's name, and a digest of source files and kinds."""
        kinds = [None if kind is None else _layout_of(kind) for kind in (self.result, *self.parameters)]
        code = self.source.__code__
        text = repr((code_cache.stamp_of(code.co_filename), code.co_firstlineno, kinds))
        digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_DIGITS]
        name = f"{self.source.__module__}.{self.source.__qualname__}"
        return f"{re.sub('[^A-Za-z0-9_.]', '_', name)}-{digest}.so"

    @property
    def symbol(self) -> str:
        """The name of the function in its library."""
        return re.sub("[^A-Za-z0-9_]", "_", self.name.removesuffix(".so"))

    @cached_property
    def address(self) -> int:
        """The address. The first access loads the function from disk or compiles it. It is never freed.

        Raises CompilerMissingError if the function has to be compiled and Numba is not installed.
        """
        address = _load(self)
        return _compile(self) if address is None else address

    def is_loadable(self) -> bool:
        """Load the function if it is on disk and not loaded yet. Return whether it is loaded."""
        return _load(self) is not None

    def is_cached(self) -> bool:
        """Return whether the function is on disk, so that loading it compiles nothing."""
        return code_cache.find(self.name) is not None


@cache
def _layout_of(kind: Kind) -> str:
    """Return a text that is the same for kinds with the same memory layout and names of fields."""
    if kind.subdtype is not None:
        base, shape = kind.subdtype
        return f"{_layout_of(base)}{list(shape)}"
    if kind.fields is None:
        return kind.str
    fields = [f"{name}@{offset}:{_layout_of(each)}" for name, (each, offset, *_) in kind.fields.items()]
    return f"{{{','.join(fields)}}}{kind.itemsize}"


_addresses: dict[Function, int] = {}
"""The addresses of the functions that this process has loaded or compiled."""

_COMPILE_LOCK = threading.Lock()


def _load(function: Function) -> int | None:
    """Return the address of a function, loaded if necessary, or None if it isn't on disk.

    Warn and return None if its library can't be loaded.
    """
    if function in _addresses:
        return _addresses[function]
    library = code_cache.find(function.name)
    if library is None:
        return None
    try:
        loaded = ctypes.CDLL(str(library))[function.symbol]
    except (OSError, AttributeError) as error:
        warnings.warn(f"compiled code cannot be read: {error}", CacheWarning, stacklevel=2)
        return None
    return _addresses.setdefault(function, ctypes.cast(loaded, ctypes.c_void_p).value or 0)


def _compile(function: Function) -> int:
    """Compile a function, store it on disk if possible, and return its address."""
    # A process with all its code on disk needs no compiler.
    from searcher.engine.jit.compiler import CompiledFunction, link

    with _COMPILE_LOCK, code_cache.compiling(function.name):
        # Meanwhile another thread or process may have compiled it.
        if (address := _load(function)) is not None:
            return address
        compiled = CompiledFunction(function.symbol, function.source, function.result, function.parameters)
        if not compiled.missing_symbols:
            code_cache.store(function.name, lambda path, target: link(compiled.object_code(target), path))
            if (address := _load(function)) is not None:
                return address
        return _addresses.setdefault(function, compiled.address)
