"""Compiled functions: their names, and where their code comes from."""

import ctypes
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from searcher.engine.jit import code_cache, compiler, function
from searcher.engine.jit.code_cache import CacheWarning
from searcher.engine.jit.compiler import CompiledFunction, LinkerError, link
from searcher.engine.jit.function import FLOAT64, INT64, Function

PAIR = np.dtype([("first", np.int64), ("second", np.float64)])


def _double(number: int) -> int:
    return 2 * number


def _sum_of_array(number: int) -> int:
    values = np.ones(number)
    return int(values.sum())


def double() -> Function:
    """Return the function that doubles a number, not loaded yet."""
    return Function(_double, INT64, (INT64,))


def called(compiled: Function, number: int) -> int:
    """Call a function of an integer by its address."""
    result: int = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(compiled.address)(number)
    return result


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A cache of the test's own, in a process that has loaded nothing."""
    monkeypatch.setenv("SEARCHER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_cache, "CACHE", code_cache.folder_in(tmp_path))
    monkeypatch.setattr(code_cache, "PREBUILT", tmp_path / "prebuilt")
    monkeypatch.setattr(function, "_addresses", {})
    code_cache.can_store.cache_clear()
    yield tmp_path
    code_cache.can_store.cache_clear()


def test_a_function_is_compiled_and_stored_once() -> None:
    """The first call compiles it and stores a library, which other processes load."""
    function = double()
    assert not function.is_cached() and not function.is_loadable()
    assert called(function, 21) == 42
    assert function.is_cached() and function.is_loadable()
    assert [path.name for path in code_cache.CACHE.iterdir()] == [function.name]


def test_a_function_that_another_process_compiles_is_awaited() -> None:
    """It is loaded when the other process has stored it; a dead process keeps nobody waiting."""
    with ThreadPoolExecutor() as threads:
        with code_cache.compiling(double().name):
            address = threads.submit(lambda: double().address)
            with pytest.raises(TimeoutError):
                address.result(0.2)
            one = double()
            compiled = CompiledFunction(one.symbol, one.source, one.result, one.parameters)
            code_cache.store(double().name, lambda path, target: link(compiled.object_code(target), path))
            stored = (code_cache.CACHE / double().name).stat().st_ino
        assert address.result(60)
    assert (code_cache.CACHE / double().name).stat().st_ino == stored


def test_names_tell_functions_apart() -> None:
    """They depend on the function and on the layout of what it takes and returns."""
    layouts = [
        PAIR,
        np.dtype([("first", np.int64), ("other", np.float64)]),
        np.dtype([("first", np.int64), ("second", np.float64, (1,))]),
        np.dtype({"names": ["first", "second"], "formats": [np.int64, np.float64], "offsets": [8, 0]}),
    ]
    others = [Function(_double, INT64, (layout,)) for layout in layouts]
    others += [double(), Function(_double, FLOAT64, (INT64,)), Function(_sum_of_array, INT64, (INT64,))]
    assert len({each.name for each in others}) == len(others)
    assert double().name == Function(_double, INT64, (np.dtype("int64"),)).name


def test_prebuilt_code_comes_first(empty_cache: Path) -> None:
    """Code built with the project is loaded, and nothing is compiled or stored."""
    called(double(), 1)
    folder = code_cache.folder_in(code_cache.PREBUILT)
    folder.parent.mkdir(parents=True)
    code_cache.CACHE.rename(folder)
    function._addresses.clear()
    assert code_cache.find(double().name) == folder / double().name
    assert called(double(), 4) == 8
    assert not code_cache.CACHE.exists()


def test_code_of_other_sources_is_not_run() -> None:
    """Prebuilt code in the folder of another digest is not found, and a line says why."""
    assert code_cache.refused_prebuilt() == ""
    other = code_cache.PREBUILT / code_cache.TARGET / "0123456789abcdef"
    other.mkdir(parents=True)
    (other / double().name).write_bytes(b"")
    assert not double().is_cached()
    line = code_cache.refused_prebuilt()
    assert str(other.parent) in line and "sources 0123456789abcdef" in line
    assert code_cache.source_digest() in line


def test_code_is_stored_for_every_target(monkeypatch: pytest.MonkeyPatch, empty_cache: Path) -> None:
    """A build compiles for levels that its machine may lack, and again what only one of them has."""
    called(double(), 1)
    targets = (code_cache.TARGET, "x86-64" if code_cache.TARGET.startswith("x86-64") else "generic")
    monkeypatch.setattr(code_cache, "TARGETS", targets)
    monkeypatch.setattr(function, "_addresses", {})
    assert not double().is_cached()
    called(double(), 1)
    for target in targets:
        assert (code_cache.folder_in(empty_cache, target) / double().name).is_file()


def test_damaged_code_costs_only_time() -> None:
    """A truncated file of the cache is replaced, with a warning."""
    code_cache.CACHE.mkdir(parents=True)
    library = code_cache.CACHE / double().name
    library.write_bytes(b"\x7fELF")
    with pytest.warns(CacheWarning, match="cannot be read"):
        assert called(double(), 4) == 8
    assert library.stat().st_size > 100


def test_without_a_linker_code_runs_and_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning says what to install."""

    def fail(*_: object) -> None:
        raise LinkerError("there is no linker: install binutils, or the package ziglang")

    monkeypatch.setattr(compiler, "link", fail)
    with pytest.warns(CacheWarning, match="install binutils"):
        assert called(double(), 21) == 42
    assert not double().is_cached() and double().is_loadable()


def test_code_that_needs_the_compilers_runtime_is_not_stored() -> None:
    """A function that allocates arrays calls Numba's runtime, which other processes may not have."""
    allocating = Function(_sum_of_array, INT64, (INT64,))
    assert called(allocating, 3) == 3
    assert not allocating.is_cached()
