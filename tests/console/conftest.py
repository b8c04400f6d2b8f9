"""Fixtures of the console's tests."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from battlesnake_search.record.outcome import Outcome
from console.store.database import read_database
from console.store.store import Store
from tests.gateway.conftest import migrated_once, pytest_asyncio_loop_factories, temporary

__all__ = ["migrated_once", "pytest_asyncio_loop_factories", "temporary"]


@pytest.fixture(autouse=True)
def _own_outbox(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give gateways an empty outbox. Another one may have events of an earlier test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


Recorded = Callable[[Iterable[Outcome]], str]


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Return a function that stores outcomes and returns the URL of their database."""

    def record(outcomes: Iterable[Outcome]) -> str:
        url = read_database(str(tmp_path / "outcomes.sqlite")).url
        asyncio.run(_store(url, list(outcomes)))
        return url

    return record


async def _store(url: str, outcomes: list[Outcome]) -> None:
    async with Store(url) as store:
        await store.prepare()
        await store.add(outcomes)
