"""Code that is copied out of the cache, for machines without a compiler."""

from pathlib import Path

import pytest

from searcher.engine.jit import code_cache
from searcher.precompile import prepare
from searcher.precompile.prepare import copy_code
from tests.searcher.precompile.cheap_parts import CHEAP


@pytest.fixture(autouse=True)
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that compile within a second, of evaluators that need no trial."""
    monkeypatch.setattr(prepare, "all_codes", lambda only: CHEAP)
    monkeypatch.setattr(prepare, "is_trusted", lambda evaluator: True)
    for part in CHEAP:
        part.load()


def test_all_code_of_an_offer_is_copied(tmp_path: Path) -> None:
    """The copy is a root folder like the cache, and replaces what a former build left."""
    left = code_cache.folder_in(tmp_path) / "left.so"
    left.parent.mkdir(parents=True)
    left.touch()
    assert copy_code(tmp_path) == 2
    copied = {path.name for path in code_cache.folder_in(tmp_path).iterdir()}
    assert copied == {function.name for part in CHEAP for function in part.functions}


def test_code_that_is_missing_fails_the_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A build never leaves code out without a word."""
    monkeypatch.setattr(prepare, "TARGETS", (code_cache.TARGET, "x86-64-v0"))
    with pytest.raises(FileNotFoundError, match="x86-64-v0"):
        copy_code(tmp_path)
