"""Compiled code on disk, for a type of CPU: one shared library for each function.

A build of this project writes libraries to `searcher/prebuilt`. Other libraries are in the cache, written by
the first process that needs them. Both have a folder for each CPU target, and in it a folder for each digest
of all engine sources, so that a process never runs code of other sources. A library's name has a digest of
its evaluator's sources. The folder of the installation does not matter.

A CPU target is by default a level of the architecture (such as x86-64-v3), so that the code also works on
other machines. SEARCHER_CPU overrides it with one or more targets, separated by spaces. This process runs
code for the first target, and stores code for all targets.

SEARCHER_CACHE_DIR names the cache directory. The default is `.cache/compiled` in the checkout that contains
this package, so that every command started there uses the same code. For an installed package, or a checkout
that can't be written or is mounted with noexec, the default is in the user's cache directory. A read-only
cache directory is used as it is. Without a usable directory, code is compiled for this process only, with a
warning.
"""

import fcntl
import hashlib
import os
import platform
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

LEVELS = {
    "x86_64": {
        "x86-64-v4": ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"),
        "x86-64-v3": ("avx2", "bmi2", "fma", "popcnt"),
        "x86-64-v2": ("popcnt", "sse4_2"),
    }
}
"""By architecture, its levels, best first. A level has its required CPU features, by Linux's names."""

_LARGEST = "x86-64-v4"
"""The level that only builds compile for. Code compiled on first use is for a lower level."""

_ANY = {"x86_64": "x86-64"}
"""By architecture, the target for all its machines."""

_CPU_INFO = Path("/proc/cpuinfo")


@cache
def _features() -> Collection[str]:
    """Return the features of this machine's CPU, empty if the system doesn't list them."""
    try:
        lines = _CPU_INFO.read_text().splitlines()
    except OSError:
        return ()
    return next((line.partition(":")[2].split() for line in lines if line.startswith("flags")), ())


def lacking_features(target: str) -> tuple[str, ...]:
    """Return the CPU features that a level of the architecture requires and this machine lacks.

    The result is empty for other targets.
    """
    needed = LEVELS.get(platform.machine(), {}).get(target, ())
    return tuple(feature for feature in needed if feature not in _features())


def runnable_levels() -> list[str]:
    """Return the levels of the architecture that this machine can run, best first."""
    return [level for level in LEVELS.get(platform.machine(), {}) if not lacking_features(level)]


def choose_target() -> str:
    """Return the best target for compiling among the targets that this machine can run."""
    levels = [level for level in runnable_levels() if level != _LARGEST]
    return levels[0] if levels else _ANY.get(platform.machine(), "generic")


def built_targets() -> list[str]:
    """Return the targets of a build: every level of this architecture. This machine can run the first one."""
    best = choose_target()
    return [best, *(level for level in LEVELS.get(platform.machine(), ()) if level != best)]


PREBUILT = Path(__file__).resolve().parents[2] / "prebuilt"
"""The folder of the code that a build of this project compiled."""

_DIGEST_DIGITS = 16

_ENGINE = Path(__file__).resolve().parents[1]
"""The folder of the package `searcher.engine`."""


class CacheWarning(UserWarning):
    """Compiled code cannot be stored on disk, or cannot be read from it."""


@cache
def source_digest() -> str:
    """Return a digest of all sources of the engine."""
    return digest_of_sources(_ENGINE)


def digest_of_sources(folder: Path) -> str:
    """Return a digest of the names and contents of all sources in a folder."""
    return _digest_of(sorted(folder.rglob("*.py")), folder)


def _digest_of(files: Iterable[Path], home: Path) -> str:
    """Return a digest of the contents of files, and of their paths within `home`."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(home).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:_DIGEST_DIGITS]


def sources_of(file: str) -> tuple[Path, ...]:
    """Return the sources that the code of a file depends on, besides the engine's and libraries' sources.

    These are all sources of the outermost package that contains the file, as far up as folders have an
    `__init__.py`. A file of this project, or a file outside of any package, depends on itself alone.
    """
    folder = _outermost_package(file)
    if folder == _ENGINE.parent or not (folder / "__init__.py").exists():
        return (Path(file),)
    return tuple(sorted(folder.rglob("*.py")))


def _outermost_package(file: str) -> Path:
    """Return the folder of the outermost package that contains a file, or else the file's folder."""
    folder = Path(file).resolve().parent
    while (folder.parent / "__init__.py").exists():
        folder = folder.parent
    return folder


@cache
def stamp_of(file: str) -> str:
    """Return a digest of the contents and names of a file's sources, as they were at the first call.

    The folder of the sources does not matter.
    """
    return _digest_of((path.resolve() for path in sources_of(file)), _outermost_package(file))


def cache_root() -> Path:
    """Return the directory in which to store compiled code."""
    chosen = os.environ.get("SEARCHER_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if (directory := _checkout_cache()) is not None:
        return directory
    home = os.path.expanduser("~")
    # A user without a home has nowhere to store code, and the warning about it has the remedy.
    home = home if os.path.isabs(home) else "/nonexistent"
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")) / "battlesnake-search"


def _checkout_cache() -> Path | None:
    """Return the cache of the checkout that contains this package.

    Return None for an installed package, and for a checkout in which a missing cache can't be created or no
    code can run.
    """
    checkout = _ENGINE.parents[1]
    directory = checkout / ".cache" / "compiled"
    exists = directory.is_dir()
    usable = (exists or os.access(checkout, os.W_OK)) and not _is_noexec(directory if exists else checkout)
    return directory if usable and (checkout / "pyproject.toml").is_file() else None


@cache
def _is_noexec(folder: Path) -> bool:
    """Return whether the system runs no code from an existing folder."""
    return bool(os.statvfs(folder).f_flag & getattr(os, "ST_NOEXEC", 0))


@cache
def _runs(folder: Path) -> bool:
    """Return whether code in an existing folder can run. Warn if it can't."""
    if _is_noexec(folder):
        text = (
            f"code can't run from {folder}, because its file system is mounted with noexec; "
            "set SEARCHER_CACHE_DIR to a folder of another one"
        )
        warnings.warn(text, CacheWarning, stacklevel=2)
        return False
    return True


def _warn_not_stored(error: OSError) -> None:
    """Warn with the same text for every function, so that the warning is shown once."""
    text = f"compiled code cannot be stored in {CACHE}: {error.strerror}; set SEARCHER_CACHE_DIR"
    warnings.warn(text, CacheWarning, stacklevel=2)


def folder_in(root: Path, target: str | None = None) -> Path:
    """Return the folder with the code for these sources and a target (by default TARGET) in a root folder."""
    return root / (target or TARGET) / source_digest()


def _targets() -> tuple[str, ...]:
    """Return the targets of SEARCHER_CPU, or else this machine's best target with prebuilt code, if any."""
    prebuilt = [level for level in runnable_levels() if folder_in(PREBUILT, level).is_dir()]
    return tuple(os.environ.get("SEARCHER_CPU", "").split()) or (*prebuilt, choose_target())[:1]


TARGETS = _targets()
"""The CPU targets, by LLVM's names, for which this process stores compiled code."""

TARGET = TARGETS[0]
"""The CPU target whose code this process runs."""

CACHE = folder_in(cache_root())
"""The folder of the cache for these sources and this target. It may not exist."""


def find(name: str) -> Path | None:
    """Return the file of this name from the prebuilt code, or else from the cache, or else None.

    A file that the cache has for some of TARGETS only does not count: it has to be made for the others.
    """
    prebuilt = folder_in(PREBUILT) / name
    if prebuilt.exists() and _runs(prebuilt.parent):
        return prebuilt
    cached = CACHE / name
    others = (folder_in(cache_root(), target) / name for target in TARGETS[1:])
    return cached if cached.exists() and _runs(CACHE) and all(file.exists() for file in others) else None


def is_prebuilt() -> bool:
    """Return whether the code of these sources was built with this project."""
    return folder_in(PREBUILT).is_dir()


def origin() -> str:
    """Return the origin of the running code, its target and the digest of its sources, as text."""
    made = "prebuilt" if is_prebuilt() else "compiled"
    return f"{made} for {TARGET}, sources {source_digest()}"


def refused_prebuilt() -> str:
    """Return the reason why prebuilt code is not used. It is empty if the code is used or doesn't exist."""
    others = sorted(folder.name for folder in (PREBUILT / TARGET).glob("*"))
    if not others or source_digest() in others:
        return ""
    return (
        f"the code in {PREBUILT / TARGET} is not used: it was built from sources {', '.join(others)}, "
        f"and these are sources {source_digest()}"
    )


@cache
def can_store() -> bool:
    """Return whether the cache can be used for new code, and create it. Warn if it can't be used."""
    try:
        CACHE.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=CACHE).close()
    except OSError as error:
        _warn_not_stored(error)
        return False
    return _runs(CACHE)


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Hold the lock of a file of the cache, so that one process at a time makes it.

    Without a usable cache, or where the system knows no locks, nothing is locked.
    """
    with ExitStack() as stack:
        if can_store():
            with suppress(OSError):
                folder = cache_root() / "locks"
                folder.mkdir(exist_ok=True)
                # The system releases the lock of a process that dies.
                fcntl.flock(stack.enter_context((folder / name).open("w")), fcntl.LOCK_EX)
        yield


def store(name: str, write: Callable[[Path, str], object]) -> None:
    """Put a file into the cache for each target in TARGETS. Warn if the disk fails.

    `write` gets a path and a target, and writes the file there.
    """
    if not can_store():
        return
    for target in TARGETS:
        file = folder_in(cache_root(), target) / name
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=file.parent) as folder:
                write(Path(folder) / file.name, target)
                # Other processes see the whole file or no file. A process that has loaded the former file
                # keeps it.
                (Path(folder) / file.name).replace(file)
        except OSError as error:
            _warn_not_stored(error)
