"""Fixtures of the gateway's tests."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from gateway.game.values import Outcome
from gateway.store.database import read_database
from gateway.store.store import Store
from tests.support.event_loop import loop_factories

Recorded = Callable[[Iterable[Outcome]], str]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run asynchronous tests in the event loop of the service."""
    return loop_factories()


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Return an empty temporary folder for a gateway; its path is short, as Unix sockets require."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    """Return a function that stores outcomes and returns the SQLAlchemy URL of their database."""

    def record(outcomes: Iterable[Outcome]) -> str:
        url = read_database(str(tmp_path / "outcomes.sqlite")).url
        asyncio.run(_store(url, list(outcomes)))
        return url

    return record


async def _store(url: str, outcomes: list[Outcome]) -> None:
    async with Store(url) as store:
        await store.prepare()
        await store.add_outcomes(outcomes)
