"""Compiles functions for a pinned target and keeps the machine code on disk.

The compiler's own cache sees neither a changed callee in another file nor a changed constant, and its
key is the CPU it ran on. So the code lies in a directory named by a digest of all engine sources, the
versions that made it and the CPU target; and the target is a level of the architecture, not the machine
at hand. Code of others, which the engine compiles for them, is kept with a digest of their package.

SEARCHER_CACHE_DIR says where; by default the user's cache directory. SEARCHER_CPU names another
target. A directory that can be read but not written is used as it is; without any, code is compiled for this
process alone, and a warning says so. Where this project itself is installed makes no difference, so that a
cache can be filled in one place and used in another.
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
"""By architecture, the targets to choose from, best first, with the features that tell them."""


_ENGINE = Path(__file__).resolve().parents[1]
"""The package `searcher.engine`."""


class CacheWarning(UserWarning):
    """Compiled code can't be kept on disk."""


def choose_target() -> str:
    """The CPU that code is compiled for: a level of the architecture that this machine has."""
    for name, _ in _BASELINES.get(platform.machine(), ()):
        if not lacking_features(name):
            return name
    return "x86-64" if platform.machine() == "x86_64" else "generic"


def lacking_features(target: str) -> tuple[str, ...]:
    """What this machine lacks to run code for a level of the architecture; nothing for other targets."""
    features = llvmlite.binding.get_host_cpu_features()
    needed = dict(_BASELINES.get(platform.machine(), ())).get(target, ())
    return tuple(feature for feature in needed if not features.get(feature, False))


def source_digest(target: str) -> str:
    """Names all that the machine code depends on: sources, versions, target."""
    digest = hashlib.sha256()
    for path in sorted(_ENGINE.rglob("*.py")):
        digest.update(path.relative_to(_ENGINE).as_posix().encode() + b"\0" + path.read_bytes())
    versions = [importlib.metadata.version(name) for name in ("numba", "llvmlite", "numpy")]
    digest.update("\0".join([*versions, sys.version, target]).encode())
    return digest.hexdigest()[:16]


def sources_of(file: str) -> tuple[Path, ...]:
    """The sources that the code in a file is made of, besides the engine's and those of libraries.

    They are those of the whole package that the file belongs to, as far up as folders have `__init__.py`; of
    a file of this project, the file alone.
    """
    folder = Path(file).resolve().parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    if folder == _ENGINE.parent or not (folder / "__init__.py").exists():
        return (Path(file),)
    return tuple(sorted(folder.rglob("*.py")))


def place_in_cache(path: Path) -> str:
    """What a source is called in the cache: of this project's by its place in it, of others by their path."""
    path = path.resolve()
    return str(path.relative_to(_ENGINE.parent) if path.is_relative_to(_ENGINE.parent) else path)


@cache
def stamp_of(file: str) -> str:
    """Names what the sources of the code in a file are now, whatever their dates."""
    digest = hashlib.sha256()
    for path in sources_of(file):
        digest.update(place_in_cache(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """The directory to keep compiled code in."""
    chosen = os.environ.get("SEARCHER_CACHE_DIR")
    if chosen:
        return Path(chosen)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "battlesnake-search"


def _usable(directory: Path) -> Path | None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=directory).close()
    except OSError as error:
        if directory.is_dir():
            return directory
        _warn_of(error, directory)
        return None
    return directory


def _warn_of(error: OSError, directory: Path) -> None:
    """The words are the same for every function that can't be kept, so that they are shown once."""
    text = f"compiled code can't be kept in {directory}: {error.strerror}; set SEARCHER_CACHE_DIR"
    warnings.warn(text, CacheWarning, stacklevel=2)


class _Locator(caching.UserProvidedCacheLocator):
    """The directory chosen here, whether it can be written or not."""

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_Locator | None":
        # Not the compiler's own, which makes the function's folder: that is for when there is code to keep.
        return cls(function, file) if os.path.exists(file) else None

    @classmethod
    def get_suitable_cache_subpath(cls, file: str) -> str:
        place = place_in_cache(Path(file))
        subpath: str = super().get_suitable_cache_subpath(file)
        return subpath if os.path.isabs(place) else os.path.dirname(place)

    def ensure_cache_path(self) -> None:
        try:
            super().ensure_cache_path()
        except OSError:
            if not os.path.isdir(self.get_cache_path()):
                raise


class _CacheImplementation(caching.CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class _Cache(caching.FunctionCache):
    """A cache on disk for one signature of a function, that costs time when the disk fails and nothing else.

    The compiler keeps one index for all signatures of a function, in which processes that compile at the
    same time overwrite each other's entries, so that a later one runs the wrong code.
    """

    _impl_class = _CacheImplementation

    def __init__(self, function: Callable[..., Any], signature: Any) -> None:
        super().__init__(function)
        name = hashlib.sha256(str(signature).encode()).hexdigest()[:16]
        self._cache_file = caching.IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=f"{self._impl.filename_base}-{name}",
            source_stamp=stamp_of(function.__code__.co_filename),
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception as error:
            warnings.warn(f"compiled code can't be read: {error}", CacheWarning, stacklevel=2)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_of(error, Path(config.CACHE_DIR))

    def holds(self, signature: Any) -> bool:
        """Whether there is code for the signature."""
        key = self._index_key(signature, cpu_target.target_context.codegen())
        name = self._cache_file._load_index().get(key)
        return name is not None and os.path.exists(self._cache_file._data_path(name))


TARGET = os.environ.get("SEARCHER_CPU") or choose_target()
CACHE_DIRECTORY = _usable(cache_root() / source_digest(TARGET))

_COMPILING = threading.Lock()
_KEPT: list[CFunc] = []

# Compiled functions are told apart by their names, arguments and a running number, and the first of a name
# that a process loads is what all its callers get. Several processes fill the cache, and record types of
# different shapes can have one name in two of them: so the numbers of each process start somewhere else.
FunctionIdentity._unique_ids = itertools.count(int.from_bytes(os.urandom(6)))

config.CPU_NAME = TARGET
config.CPU_FEATURES = ""
config.CACHE_DIR = str(CACHE_DIRECTORY or "")


@cache
def address_of(function: Callable[..., Any], signature: Any) -> int:
    """The address of a function compiled for a signature, as C calls it: records as pointers. Never freed."""
    with _COMPILING:
        compiled = CFunc(
            function, (signature.args, signature.return_type), locals={}, options={"error_model": "numpy"}
        )
        if CACHE_DIRECTORY is not None:
            compiled._cache = _cache_for(function, signature) or compiled._cache
        compiled.compile()
        _KEPT.append(compiled)
        return int(compiled.address)


def is_cached(function: Callable[..., Any], signature: Any) -> bool:
    """Whether the function lies in the cache, compiled for the signature."""
    kept = _cache_for(function, signature) if CACHE_DIRECTORY is not None else None
    return kept is not None and kept.holds(signature)


def _cache_for(function: Callable[..., Any], signature: Any) -> Any:
    try:
        return _Cache(function, signature)
    except (OSError, RuntimeError) as error:
        warnings.warn(f"compiled code can't be kept: {error}", CacheWarning, stacklevel=2)
        return None
