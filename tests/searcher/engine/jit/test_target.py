"""The CPU that code is compiled for."""

from collections.abc import Iterator

import pytest

from searcher.engine.jit import code_cache


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


def test_the_target_is_a_level_of_the_architecture() -> None:
    """The target is not the name of this machine's CPU, so that code compiled elsewhere is found."""
    assert code_cache.choose_target() in ("x86-64-v3", "x86-64-v2", "x86-64", "generic")
