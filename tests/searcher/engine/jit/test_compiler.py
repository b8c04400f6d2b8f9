"""The linker that makes shared libraries."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from searcher.engine.jit import compiler
from searcher.engine.jit.compiler import LinkerError, link


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """The linker is looked for in each test."""
    compiler._linker.cache_clear()
    yield
    compiler._linker.cache_clear()


def test_a_machine_without_a_linker(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The error says what to install."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(compiler, "find_spec", lambda name: None)
    with pytest.raises(LinkerError, match="install binutils, or the package ziglang") as raised:
        link(b"", tmp_path / "code.so")
    assert raised.value.strerror == str(raised.value.args[1])


def test_the_linker_of_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without binutils can use the one of the package ziglang."""
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr(compiler, "find_spec", lambda name: object() if name == "ziglang" else None)
    assert compiler._linker()[1:4] == ("-m", "ziglang", "ld.lld")


def test_a_failure_is_reported(tmp_path: Path) -> None:
    """The error has what the linker said, on one line."""
    with pytest.raises(LinkerError, match="the linker failed: ") as raised:
        link(b"no object code", tmp_path / "code.so")
    assert "\n" not in str(raised.value.strerror)
