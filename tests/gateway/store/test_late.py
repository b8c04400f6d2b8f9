"""Stores that open once the gateway listens."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from gateway.store import late
from gateway.store.database import read_database
from gateway.store.late import Late, LateStore
from gateway.store.outcome_store import Store
from gateway.store.reader import read
from tests.gateway.store.outcome_samples import OUTCOME


@pytest.fixture(autouse=True)
def _no_head_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "_HEAD_START", 0.0)


async def test_outcomes_reach_the_database(tmp_path: Path) -> None:
    """The first use opens the store, which has its name from then on."""
    file = tmp_path / "outcomes.sqlite"
    url = read_database(str(file)).url
    async with LateStore(url) as store:
        assert store.name == "" and not file.exists()
        await store.prepare()
        assert store.name == str(file)
        await store.add([OUTCOME])
        await store.add([OUTCOME])
    [row] = await read(url, ["game_id"], ["game_id"])
    assert row["game_id"] == OUTCOME.game_id


async def test_a_store_is_opened_once_however_many_wait_for_it(tmp_path: Path) -> None:
    """Those who use it at once share it, and one who gives up takes nothing from the others."""
    opened: list[Store] = []

    def open_store() -> Store:
        opened.append(Store(read_database(str(tmp_path / "outcomes.sqlite")).url))
        return opened[-1]

    async with Late(open_store) as store:
        impatient = asyncio.create_task(store.opened())
        others = [asyncio.create_task(store.opened()) for _ in range(2)]
        await asyncio.sleep(0)
        impatient.cancel()
        assert await asyncio.gather(*others) == opened * 2
    assert len(opened) == 1


async def test_a_store_that_does_not_open_is_opened_again(tmp_path: Path) -> None:
    """Each use raises why it does not open, until it does."""
    failures = [OSError("first"), OSError("second")]

    def open_store() -> Store:
        if failures:
            raise failures.pop(0)
        return Store(read_database(str(tmp_path / "outcomes.sqlite")).url)

    async with Late(open_store) as store:
        for reason in ("first", "second"):
            with pytest.raises(OSError, match=reason):
                await store.prepare()
        await store.prepare()
        assert store.name


@pytest.mark.parametrize("is_used", [False, True])
async def test_a_store_that_was_not_opened_ends_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, is_used: bool
) -> None:
    """A gateway that ends during the head start does not wait for it, and opens nothing."""
    monkeypatch.setattr(late, "_HEAD_START", 60.0)
    opened: list[Store] = []

    def open_store() -> Store:
        opened.append(Store(read_database(str(tmp_path / "outcomes.sqlite")).url))
        return opened[-1]

    async with asyncio.timeout(5):
        async with Late(open_store) as store:
            using = asyncio.create_task(store.prepare()) if is_used else None
            await asyncio.sleep(0.01)
        if using:
            with pytest.raises(asyncio.CancelledError):
                await using
    assert opened == []


async def test_a_failure_to_open_does_not_disturb_the_end() -> None:
    """Whoever used the store knows already."""

    def open_store() -> Store:
        raise OSError("never")

    async with Late(open_store) as store:
        with pytest.raises(OSError, match="never"):
            await store.prepare()


def test_the_packages_of_a_database_are_imported_by_the_first_use() -> None:
    """The gateway imports its stores before it listens."""
    script = (
        "import sys, gateway.store.late, gateway.store.late_games;"
        "print({'aiosqlite', 'alembic', 'sqlalchemy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
