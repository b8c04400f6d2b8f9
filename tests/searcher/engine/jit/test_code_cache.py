"""The cache of compiled code: the next process uses it, and no process fails without it."""

import os
import platform
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import searcher.engine
from searcher.engine.jit import code_cache
from tests.searcher.command_line import run

FIND_ONE = """
import sys
import numpy
from searcher.engine.search import kernels
from searcher.engine.rules.records import SHAPES
from searcher.engine.rules.packing import food_of, pack
from searcher.engine.position import Position, Snake
from searcher.evaluators import length

function = kernels.evaluator_function(length.evaluate, SHAPES[0])
print("cached", function.is_cached())
"""
"""A script that looks for one function in the cache and prints whether it is there."""

LOAD_ONE = (
    FIND_ONE
    + """
address = function.address
print("compiled", "numba" in sys.modules)
print("cached", function.is_cached())

import ctypes
packed = pack(Position(7, 7, (Snake("a", 100, ((3, 3), (3, 2), (3, 1))),)))
weights = numpy.ones(32)
prototype = ctypes.CFUNCTYPE(ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_int64)
print("value", prototype(address)(packed.game.ctypes.data, packed.board.ctypes.data, weights.ctypes.data, 0))
"""
)
"""The same script, which then compiles or loads the function, prints which it did, and calls it."""


READ_ONLY = """
import errno, os, sys
cache = os.environ["SEARCHER_CACHE_DIR"]

def refuse(event, arguments):
    writes = event in ("os.mkdir", "os.rename")
    writes |= event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR) != 0
    if writes and os.path.abspath(arguments[0]).startswith(cache):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), arguments[0])

sys.addaudithook(refuse)
"""
"""A script that makes the cache read-only, as a mount does: the modes of files don't stop root."""

NATIVE, FOREIGN = (
    ("x86-64-v2", "skylake-avx512") if platform.machine() == "x86_64" else ("generic", "neoverse-v1")
)
"""A target for every machine of the architecture, and the name of one of the architecture's CPUs."""

OTHER = "generic" if NATIVE != "generic" else FOREIGN
"""Another target."""

COMPILED = ["cached False", "compiled True", "cached True", "value 2.0"]
"""The lines of a process that compiles and stores the function."""

LOADED = ["cached True", "compiled False", "cached True", "value 2.0"]
"""The lines of a process that finds the function."""


def load_one(cache: Path, before: str = "", **settings: str) -> tuple[list[str], str]:
    """Run LOAD_ONE after another script with these settings; return its lines of output and its warnings."""
    done = run("-c", before + LOAD_ONE, cache=cache, settings=settings)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache, in a new folder, with the function that one process has compiled."""
    cache = tmp_path_factory.mktemp("filled") / "new" / "folder"
    assert load_one(cache, SEARCHER_CPU=NATIVE) == (COMPILED, "")
    return cache


def test_another_cpu_compiles_nothing(filled: Path) -> None:
    """The next process finds and can call what one process has compiled, whatever the name of its CPU.

    Code compiled for a level of the architecture works on each of its CPUs.
    """
    assert load_one(filled, SEARCHER_CPU=NATIVE, NUMBA_CPU_NAME=FOREIGN) == (LOADED, "")
    done = run("-c", FIND_ONE, cache=filled, settings={"SEARCHER_CPU": OTHER})
    assert done.stdout.splitlines() == ["cached False"], done.stderr


def test_another_installation_compiles_nothing(filled: Path, tmp_path: Path) -> None:
    """Code compiled when a container was built works where it runs, whatever the path."""
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(Path(searcher.__file__).parent, elsewhere / "searcher")
    moved = f"import sys; sys.path.insert(0, {str(elsewhere)!r}); import searcher; print(searcher.__path__)"
    again = [f"[{str(elsewhere / 'searcher')!r}]", *LOADED]
    assert load_one(filled, moved, SEARCHER_CPU=NATIVE) == (again, "")


def test_a_full_cache_is_only_read(filled: Path) -> None:
    """A full read-only cache is loaded without a warning."""
    kept = sorted(filled.rglob("*"))
    assert load_one(filled, READ_ONLY, SEARCHER_CPU=NATIVE) == (LOADED, "")
    assert sorted(filled.rglob("*")) == kept


def test_an_empty_cache_that_cannot_be_written(tmp_path: Path) -> None:
    """Everything works, and one warning says what to do."""
    lines, warnings = load_one(tmp_path, READ_ONLY)
    assert lines == ["cached False", "compiled True", "cached False", "value 2.0"]
    assert warnings.count("CacheWarning") == 1
    assert f"cannot be stored in {tmp_path}" in warnings
    assert "Read-only file system; set SEARCHER_CACHE_DIR" in warnings


NOEXEC = """
import os, types

statvfs = os.statvfs

def noexec(path):
    found = statvfs(path)
    is_cache = os.path.abspath(path).startswith(os.environ["SEARCHER_CACHE_DIR"])
    return types.SimpleNamespace(f_flag=found.f_flag | is_cache * os.ST_NOEXEC)

os.statvfs = noexec
"""
"""A script that makes the cache look as if it were mounted with noexec, which takes privileges."""


def test_a_cache_from_which_no_code_can_run(filled: Path) -> None:
    """It is not used, nothing is stored, and one warning says what to do."""
    kept = sorted(filled.rglob("*.so"))
    lines, warnings = load_one(filled, NOEXEC, SEARCHER_CPU=NATIVE)
    assert lines == ["cached False", "compiled True", "cached False", "value 2.0"]
    assert warnings.count("CacheWarning") == 1
    assert f"can't run from {filled}" in warnings and "set SEARCHER_CACHE_DIR to a folder" in warnings
    assert sorted(filled.rglob("*.so")) == kept


def test_the_digest_names_all_that_code_depends_on(tmp_path: Path) -> None:
    """The digest depends on every source file's name and content."""
    engine = tmp_path / "engine"
    shutil.copytree(Path(searcher.engine.__file__).parent, engine)
    assert code_cache.digest_of_sources(engine) == code_cache.source_digest()
    with (engine / "features" / "flood.py").open("a") as source:
        source.write("# changed\n")
    changed = code_cache.digest_of_sources(engine)
    (engine / "position.py").rename(engine / "rules" / "position.py")
    assert len({code_cache.source_digest(), changed, code_cache.digest_of_sources(engine)}) == 3


@pytest.fixture
def checkout(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A checkout that contains the package, and a user with a home elsewhere who sets nothing."""
    checkout = tmp_path / "checkout"
    (checkout / "searcher" / "engine").mkdir(parents=True)
    (checkout / "pyproject.toml").touch()
    monkeypatch.setattr(code_cache, "_ENGINE", checkout / "searcher" / "engine")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("SEARCHER_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    return checkout


def test_the_cache_of_an_installed_package(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The cache is in the user's cache directory, unless SEARCHER_CACHE_DIR names another directory.

    In a checkout, it is in the checkout.
    """
    assert code_cache.cache_root() == checkout / ".cache" / "compiled"
    (checkout / "pyproject.toml").unlink()
    assert code_cache.cache_root() == tmp_path / "home" / ".cache" / "battlesnake-search"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert code_cache.cache_root() == tmp_path / "xdg" / "battlesnake-search"
    monkeypatch.setenv("SEARCHER_CACHE_DIR", str(tmp_path / "chosen"))
    assert code_cache.cache_root() == tmp_path / "chosen"


def test_the_cache_of_a_user_without_a_home(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is stored in the working directory, whose folder `~` would be nobody's home."""
    (checkout / "pyproject.toml").unlink()
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert code_cache.cache_root() == Path("/nonexistent/.cache/battlesnake-search")


def test_the_cache_of_a_checkout_that_cannot_be_written(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The checkout's cache is used if it exists, and otherwise the user's cache directory."""
    # Modes of files don't stop root.
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert code_cache.cache_root() == tmp_path / "home" / ".cache" / "battlesnake-search"
    (checkout / ".cache" / "compiled").mkdir(parents=True)
    assert code_cache.cache_root() == checkout / ".cache" / "compiled"


def test_the_cache_of_a_checkout_from_which_no_code_can_run(
    checkout: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The user's cache directory is used, even if the checkout has a cache."""
    monkeypatch.setattr(code_cache, "_is_noexec", checkout.samefile)
    assert code_cache.cache_root() == tmp_path / "home" / ".cache" / "battlesnake-search"
    (checkout / ".cache" / "compiled").mkdir(parents=True)
    monkeypatch.setattr(code_cache, "_is_noexec", (checkout / ".cache" / "compiled").samefile)
    assert code_cache.cache_root() == tmp_path / "home" / ".cache" / "battlesnake-search"


@pytest.fixture
def old_cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An x86-64 CPU without AVX2."""
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(code_cache, "_features", lambda: ("popcnt", "sse4_2"))
    yield


@pytest.mark.usefixtures("old_cpu")
def test_unsupported_targets_are_recognized() -> None:
    """A level that the machine doesn't support is not chosen, and its missing features are listed."""
    assert code_cache.choose_target() == "x86-64-v2"
    assert code_cache.lacking_features("x86-64-v3") == ("avx2", "bmi2", "fma")
    assert code_cache.lacking_features("x86-64-v2") == code_cache.lacking_features("skylake-avx512") == ()


def test_a_cpu_of_which_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system lists no features, the code is for every machine of the architecture."""
    monkeypatch.setattr(code_cache, "_features", tuple)
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert code_cache.choose_target() == "x86-64"
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert code_cache.choose_target() == "generic"
