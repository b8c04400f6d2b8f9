"""Fixtures of the gateway's tests."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.support.databases import migrated_once
from tests.support.event_loop import loop_factories

__all__ = ["migrated_once"]


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Run asynchronous tests in the event loop of the service."""
    return loop_factories()


@pytest.fixture
def temporary() -> Iterator[Path]:
    """Return an empty temporary folder for a gateway; its path is short, as Unix sockets require."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def own_outbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the outboxes of gateways in a temporary folder."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
