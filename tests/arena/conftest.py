"""Fixtures for tests of the arena."""

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest

from arena.matches.workers import LocalWorkers

_T = TypeVar("_T")


@pytest.fixture(scope="module")
def plays_here() -> Iterator[None]:
    """Play in this process instead of in worker processes, each of which takes a second to start."""

    def here(_: LocalWorkers, job: Callable[[int], _T], waiting: list[int]) -> Iterator[_T]:
        while waiting:
            yield job(waiting.pop())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalWorkers, "_run", here)
        yield
