"""The store of recorded games, opened once the gateway listens."""

from pathlib import Path

import pytest

from gateway.store import late
from gateway.store.database import read_database
from gateway.store.late_games import LateGameStore
from gateway.store.observation import header_of, position_of
from gateway.store.records import unpack
from gateway.store.rows import Bounds, game_row, record_row
from tests.gateway.store.game_samples import turn_at


@pytest.fixture(autouse=True)
def _no_head_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(late, "_HEAD_START", 0.0)


async def test_games_are_written_and_read(tmp_path: Path) -> None:
    """It does what the store does, with the same bounds."""
    url = read_database(str(tmp_path / "outcomes.sqlite")).url
    header, position = header_of(turn_at(0, "one")), position_of(turn_at(0, "one"))
    async with LateGameStore(url, Bounds(games=1, days=7, bytes=10**9)) as store:
        await store.prepare()
        await store.add([game_row(header), record_row("one", position)])
        assert await store.count() == 1
        assert [found.id for found in await store.headers(None, 10)] == ["one"]
        found = await store.header("one")
        assert found is not None and found.snakes == header.snakes
        assert [unpack(record) for record in await store.records("one")] == [position]
        assert await store.header("other") is None
        older = await store.headers(found, 10)
        assert older == []
