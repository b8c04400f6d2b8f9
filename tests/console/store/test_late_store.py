"""The store that is opened by its first use."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from console.store import late_store
from console.store.database import read_database
from console.store.late_store import LateStore
from console.store.reader import read
from console.store.recorder import header_of, position_of
from console.store.records import Bounds, game_row, record_row, unpack
from console.store.store import Store
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import OUTCOME


@pytest.fixture(autouse=True)
def _no_head_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late_store, "_HEAD_START", 0.0)


async def test_outcomes_reach_the_database(tmp_path: Path) -> None:
    """The first use opens the store and sets its name."""
    file = tmp_path / "outcomes.sqlite"
    url = read_database(str(file)).url
    async with LateStore(url) as store:
        assert store.name == "" and not file.exists()
        await store.prepare()
        assert store.name == str(file)
        await store.add_outcomes([OUTCOME])
        await store.add_outcomes([OUTCOME])
    [row] = await read(url, ["game_id"], ["game_id"])
    assert row["game_id"] == OUTCOME.game_id


async def test_games_are_written_and_read(tmp_path: Path) -> None:
    """It acts as the store does, with the same bounds."""
    url = read_database(str(tmp_path / "outcomes.sqlite")).url
    header, position = header_of(turn_at(0, "one")), position_of(turn_at(0, "one"))
    async with LateStore(url, Bounds(games=1, bytes=10**9)) as store:
        await store.prepare()
        await store.add_rows([game_row(header), record_row("one", position)])
        assert await store.count() == 1
        assert [found.id for found in await store.headers(None, 10)] == ["one"]
        found = await store.header("one")
        assert found is not None and found.snakes == header.snakes
        assert [unpack(record) for record in await store.records("one")] == [position]
        assert await store.header("other") is None
        older = await store.headers(found, 10)
        assert older == []


async def test_a_store_is_opened_once_however_many_wait_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Concurrent users share it, and a cancelled user does not disturb the others."""
    opened: list[Store] = []

    def open_store(url: str, bounds: Bounds | None, _outcomes_bytes: int | None) -> Store:
        opened.append(Store(url, bounds))
        return opened[-1]

    monkeypatch.setattr(late_store, "_open_store", open_store)
    async with LateStore(read_database(str(tmp_path / "outcomes.sqlite")).url) as store:
        impatient = asyncio.create_task(store.opened())
        others = [asyncio.create_task(store.opened()) for _ in range(2)]
        await asyncio.sleep(0)
        impatient.cancel()
        assert await asyncio.gather(*others) == opened * 2
    assert len(opened) == 1


async def test_a_store_that_does_not_open_is_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each use raises why it does not open, until it does."""
    failures = [OSError("first"), OSError("second")]

    def open_store(url: str, bounds: Bounds | None, _outcomes_bytes: int | None) -> Store:
        if failures:
            raise failures.pop(0)
        return Store(url, bounds)

    monkeypatch.setattr(late_store, "_open_store", open_store)
    async with LateStore(read_database(str(tmp_path / "outcomes.sqlite")).url) as store:
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
    monkeypatch.setattr(late_store, "_HEAD_START", 60.0)
    opened: list[Store] = []

    def open_store(url: str, bounds: Bounds | None, _outcomes_bytes: int | None) -> Store:
        opened.append(Store(url, bounds))
        return opened[-1]

    monkeypatch.setattr(late_store, "_open_store", open_store)
    async with asyncio.timeout(5):
        async with LateStore(read_database(str(tmp_path / "outcomes.sqlite")).url) as store:
            using = asyncio.create_task(store.prepare()) if is_used else None
            await asyncio.sleep(0.01)
        if using:
            with pytest.raises(asyncio.CancelledError):
                await using
    assert opened == []


async def test_a_failure_to_open_does_not_disturb_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each use has raised the reason."""

    def open_store(url: str, bounds: Bounds | None, _outcomes_bytes: int | None) -> Store:
        raise OSError("never")

    monkeypatch.setattr(late_store, "_open_store", open_store)
    async with LateStore(read_database(str(tmp_path / "outcomes.sqlite")).url) as store:
        with pytest.raises(OSError, match="never"):
            await store.prepare()


def test_the_packages_of_a_database_are_imported_by_the_first_use() -> None:
    """The gateway imports its store and its writer before it listens."""
    script = (
        "import sys, console.store.late_store, console.store.writer;"
        "print({'aiosqlite', 'alembic', 'sqlalchemy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
