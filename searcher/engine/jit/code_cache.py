"""Compiles functions for a fixed CPU target and caches the machine code on disk.

Numba's own cache notices neither a changed callee in another file nor a changed constant, and its key is the
CPU that it ran on. Therefore the code is stored in a directory named by a digest of all engine sources, the
versions that compiled it and the CPU target, and the target is a level of the architecture instead of the
machine's own CPU. The code of plug-ins, which the engine compiles for them, is stored with a digest of their
package.

SEARCHER_CACHE_DIR names the cache directory. The default is `.cache/compiled` in the checkout that contains
this package, so that every command started there uses the same code. For an installed package, or a checkout
that can't be written, it is in the user's cache directory. SEARCHER_CPU names another target.

A read-only cache directory is used as it is. Without a usable directory, code is compiled for this process
only, with a warning. The cache does not depend on where this project is installed, so it can be filled in one
place and used in another.
"""

import hashlib
import importlib.metadata
import itertools
import os
import platform
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite.binding
from numba.core import caching, config
from numba.core.bytecode import FunctionIdentity
from numba.core.ccallback import CFunc
from numba.core.registry import cpu_target

_BASELINES = {
    "x86_64": (("x86-64-v3", ("avx2", "bmi2", "fma", "popcnt")), ("x86-64-v2", ("popcnt", "sse4.2"))),
}
"""By architecture, the targets to choose from, best first, with the CPU features that they require."""
_DIGEST_DIGITS = 16

_ENGINE = Path(__file__).resolve().parents[1]
"""The folder of the package `searcher.engine`."""


class CacheWarning(UserWarning):
    """Compiled code cannot be stored on disk, or cannot be read from it."""


def choose_target() -> str:
    """Return the best CPU target that this machine can run: a level of its architecture."""
    for name, _ in _BASELINES.get(platform.machine(), ()):
        if not lacking_features(name):
            return name
    return "x86-64" if platform.machine() == "x86_64" else "generic"


def lacking_features(target: str) -> tuple[str, ...]:
    """Return the CPU features that a level of the architecture requires and this machine lacks.

    The result is empty for other targets.
    """
    features = llvmlite.binding.get_host_cpu_features()
    needed = dict(_BASELINES.get(platform.machine(), ())).get(target, ())
    return tuple(feature for feature in needed if not features.get(feature, False))


def source_digest(target: str) -> str:
    """Return a digest of everything that the machine code depends on: sources, versions and target."""
    digest = hashlib.sha256()
    for path in sorted(_ENGINE.rglob("*.py")):
        digest.update(path.relative_to(_ENGINE).as_posix().encode() + b"\0" + path.read_bytes())
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite", "numpy")]
    digest.update("\0".join([*versions, sys.version, target]).encode())
    return digest.hexdigest()[:_DIGEST_DIGITS]


def sources_of(file: str) -> tuple[Path, ...]:
    """Return the sources that the code of a file depends on, besides those of the engine and of libraries.

    These are all sources of the outermost package that contains the file, as far up as folders have an
    `__init__.py`. For a file of this project, or outside of any package, it is the file alone.
    """
    folder = Path(file).resolve().parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    if folder == _ENGINE.parent or not (folder / "__init__.py").exists():
        return (Path(file),)
    return tuple(sorted(folder.rglob("*.py")))


def name_in_cache(path: Path) -> str:
    """Return the name of a source in the cache: its path within this project, or its absolute path."""
    path = path.resolve()
    return str(path.relative_to(_ENGINE.parent) if path.is_relative_to(_ENGINE.parent) else path)


@cache
def stamp_of(file: str) -> str:
    """Return a digest of the contents of a file's sources, as they were at the first call."""
    digest = hashlib.sha256()
    for path in sources_of(file):
        digest.update(name_in_cache(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:_DIGEST_DIGITS]


def cache_root() -> Path:
    """Return the directory in which to store compiled code."""
    chosen = os.environ.get("SEARCHER_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if (directory := _checkout_cache()) is not None:
        return directory
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "battlesnake-search"


def _checkout_cache() -> Path | None:
    """Return the cache of the checkout that contains this package.

    Return None for an installed package, and for a checkout without a cache in which none can be created.
    """
    checkout = _ENGINE.parents[1]
    directory = checkout / ".cache" / "compiled"
    usable = directory.is_dir() or os.access(checkout, os.W_OK)
    return directory if usable and (checkout / "pyproject.toml").is_file() else None


def _usable(directory: Path) -> Path | None:
    """Return the directory, created if necessary, or None with a warning if it cannot be created."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        if directory.is_dir():
            return directory
        _warn_not_stored(error, directory)
        return None
    return directory


def _warn_not_stored(error: OSError, directory: Path) -> None:
    """Warn with the same text for every function, so that the warning is shown once."""
    text = f"compiled code cannot be stored in {directory}: {error.strerror}; set SEARCHER_CACHE_DIR"
    warnings.warn(text, CacheWarning, stacklevel=2)


class _Locator(caching.UserProvidedCacheLocator):
    """Locates the cache in CACHE_DIRECTORY, whether the directory is writable or not."""

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator | None":
        # Numba's own method creates the function's folder, which is not needed until there is code to store.
        return cls(function, file) if os.path.exists(file) else None

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        name = name_in_cache(Path(file))
        subpath: str = super().get_suitable_cache_subpath(file)
        return subpath if os.path.isabs(name) else os.path.dirname(name)

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()
        except OSError:
            if not os.path.isdir(self.get_cache_path()):
                raise


class _CacheImplementation(caching.CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(caching.FunctionCache):
    """A cache on disk for one signature of a function. If the disk fails, the function is compiled again.

    Numba keeps one index for all signatures of a function. Processes that compile at the same time overwrite
    each other's entries there, and a later process runs the wrong code; hence one index for each signature.
    """

    _impl_class = _CacheImplementation

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        super().__init__(function)
        name = hashlib.sha256(str(signature).encode()).hexdigest()[:_DIGEST_DIGITS]
        self._cache_file = caching.IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{name}",
            source_stamp=stamp_of(function.__code__.co_filename),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            warnings.warn(f"compiled code cannot be read: {error}", CacheWarning, stacklevel=2)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_not_stored(error, Path(config.CACHE_DIR))

    def contains(self, signature: Any) -> bool:
        """Return whether the cache has code for the signature."""
        key = self._index_key(signature, cpu_target.target_context.codegen())
        name = self._cache_file._load_index().get(key)
        return name is not None and os.path.exists(self._cache_file._data_path(name))


TARGET = os.environ.get("SEARCHER_CPU") or choose_target()
CACHE_DIRECTORY = _usable(cache_root() / source_digest(TARGET))

_COMPILE_LOCK = threading.Lock()
_COMPILED: list[CFunc] = []
"""Keeps compiled functions alive, because callers hold only their addresses."""

_ID_BYTES = 6

# Numba distinguishes compiled functions by their names, argument types and a running number. The first one of
# a name that a process loads serves all callers. Several processes fill the cache, and record types of
# different shapes may have the same name in two processes. So the numbers of each process start at random.
FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(_ID_BYTES)))

config.CPU_NAME = TARGET
config.CPU_FEATURES = ""
config.CACHE_DIR = str(CACHE_DIRECTORY or "")


@cache
def address_of(function: Callable[..., Any], signature: Any) -> int:
    """Return the address of a function, loaded from the cache or compiled for a signature. It is never freed.

    It is called as a C function: records pass as pointers.
    """
    with _COMPILE_LOCK:
        compiled = CFunc(
            function, (signature.args, signature.return_type), locals={}, options={"error_model": "numpy"}
        )
        if CACHE_DIRECTORY is not None:
            compiled._cache = _cache_for(function, signature) or compiled._cache
        compiled.compile()
        _COMPILED.append(compiled)
        return int(compiled.address)


def is_cached(function: Callable[..., Any], signature: Any) -> bool:
    """Return whether the function, compiled for the signature, is in the cache on disk."""
    cached = _cache_for(function, signature) if CACHE_DIRECTORY is not None else None
    return cached is not None and cached.contains(signature)


def _cache_for(function: Callable[..., Any], signature: Any) -> Any:
    try:
        return _Cache(function, signature)
    except (OSError, RuntimeError) as error:
        warnings.warn(f"compiled code cannot be stored: {error}", CacheWarning, stacklevel=2)
        return None
