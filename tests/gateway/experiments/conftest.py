"""A database with outcomes of experiments."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from gateway.outcomes.record import Outcome
from gateway.outcomes.store import Store
from gateway.outcomes.target import target_of

Recorded = Callable[[Iterable[Outcome]], str]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Stores outcomes; gives the SQLAlchemy URL of their database."""

    def record(outcomes: Iterable[Outcome]) -> str:
        url = target_of(str(tmp_path / "outcomes.sqlite")).url
        asyncio.run(_store(url, list(outcomes)))
        return url

    return record


async def _store(url: str, outcomes: list[Outcome]) -> None:
    async with Store(url) as store:
        await store.prepare()
        await store.add(outcomes)
