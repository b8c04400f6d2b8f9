"""The store on SQLite and on a real PostgreSQL: its connections, its schema, and outcomes."""

import asyncio
import random
import sqlite3
import sys
import threading
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine, func, select, text
from sqlalchemy.exc import OperationalError

from battlesnake_search.record.outcome import Outcome
from console.store import schema
from console.store.database import RefusedError, file_of, read_database
from console.store.engine import open_engine
from console.store.records import Renamed, game_row
from console.store.schema import METADATA, OUTCOMES
from console.store.store import Store
from tests.console.store.game_samples import header_with
from tests.console.store.outcome_samples import OUTCOME, outcome_with, stored_outcomes
from tests.support.postgres import Postgres

NEWER = {
    *("control", "shares", "setup", "searched", "mean_latency_ms", "part", "ended", "last_turn", "began_at"),
    *("moves_searched", "moves_best_so_far", "moves_stand_in", "moves_failed", "died_late"),
}
"""The columns that later versions have added."""

UPGRADE = schema.upgrade


async def _stored(url: str) -> list[dict[str, Any]]:
    return await stored_outcomes(url)


async def test_stored_outcomes_are_read_back(url: str) -> None:
    """Every field is read back as it was stored, known or unknown."""
    unknown = outcome_with(
        game_id="other",
        result=None,
        place=None,
        timeouts=None,
        mean_depth=None,
        seen_from=None,
        **dict.fromkeys(NEWER - {"part", "ended"}),
    )
    async with Store(url) as store:
        await store.prepare()
        await store.add([OUTCOME, unknown])
        rows = await _stored(url)
    assert rows == [msgspec.structs.asdict(expected) for expected in (OUTCOME, unknown)]


async def test_a_later_state_of_a_view_replaces_an_earlier_one(url: str) -> None:
    """The newest state of each view stays, whether it comes in one batch or in another."""
    async with Store(url) as store:
        await store.prepare()
        await store.add([outcome_with(turns=1), OUTCOME, outcome_with(snake_id="second")])
        await store.add([outcome_with(turns=2, ended=False), outcome_with(part="p", turns=3)])
        for _ in range(2):
            await store.add([outcome_with(turns=4, last_turn=3), outcome_with(game_id="other")])
        rows = await _stored(url)
    found = {(row["game_id"], row["snake_id"], row["part"], row["turns"], row["ended"]) for row in rows}
    assert found == {
        ("game", "snake", "", 4, True),
        ("game", "snake", "p", 3, True),
        ("game", "second", "", 100, True),
        ("other", "snake", "", 100, True),
    }
    assert len(rows) == 4


async def test_the_outcomes_before_a_renaming_belong_to_the_new_id(url: str) -> None:
    """Outcomes of the first course, stored or in the same batch, are unfinished games of the new id."""
    batch: list[Outcome | Renamed] = [
        outcome_with(part="b"),
        Renamed("game", "first"),
        outcome_with(part="c"),
    ]
    async with Store(url) as store:
        await store.prepare()
        await store.add([outcome_with(part="a"), outcome_with(game_id="other")])
        for _ in range(2):
            await store.add(batch)
        rows = await _stored(url)
    found = sorted((row["game_id"], row["part"], row["ended"]) for row in rows)
    assert found == [
        ("first", "a", False),
        ("first", "b", False),
        ("game", "c", True),
        ("other", "", True),
    ]


REFUSED: dict[str, dict[str, Any]] = {
    "null": {"snake": None},
    "surrogate": {"game_id": "\ud800"},
    "too large": {"turns": 2**70},
}


@pytest.mark.parametrize("fields", REFUSED.values(), ids=REFUSED)
async def test_a_batch_is_stored_whole_or_not_at_all(url: str, fields: dict[str, Any]) -> None:
    """If the database refuses the values of one outcome, it stores none of the batch."""
    async with Store(url) as store:
        await store.prepare()
        with pytest.raises(RefusedError):
            await store.add([OUTCOME, outcome_with(**{"game_id": "refused"} | fields)])
        assert await _stored(url) == []


async def test_a_server_refuses_long_keys_and_foreign_scripts(postgres: Postgres) -> None:
    """An entry of an index has 2,704 bytes, and a database in LATIN1 has no Greek letters."""
    admin = open_engine(postgres.url).execution_options(isolation_level="AUTOCOMMIT")
    async with admin.connect() as connection:
        await connection.execute(text("DROP DATABASE IF EXISTS latin"))
        await connection.execute(
            text("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        )
    await admin.dispose()
    long = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=9000))
    async with Store(read_database(postgres.url.replace("/postgres", "/latin")).url) as store:
        await store.prepare()
        for refused in (outcome_with(game_id=long), outcome_with(snake="\u03b1")):
            with pytest.raises(RefusedError):
                await store.add([OUTCOME, refused])
        await store.add([OUTCOME])


async def test_stores_may_be_prepared_concurrently(url: str) -> None:
    """Gateways that start together create the schema once, and all of them can write."""
    async with Store(url) as one, Store(url) as two, Store(url) as three:
        await asyncio.gather(*(store.prepare() for store in (one, two, three)))
        await asyncio.gather(*(store.add([OUTCOME]) for store in (one, two, three)))
        assert len(await _stored(url)) == 1
        await one.prepare()
        assert len(await _stored(url)) == 1


async def test_a_current_schema_needs_no_alembic(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A gateway with a database of its own version starts without this import."""
    async with Store(url) as store:
        await store.prepare()
        monkeypatch.setitem(sys.modules, "alembic", None)
        await store.prepare()
        await store.add([OUTCOME])
        assert len(await _stored(url)) == 1


async def test_the_migrations_create_the_table_of_the_code(url: str) -> None:
    """Alembic finds no difference between the migrated database and the table of the code."""
    async with Store(url) as store:
        await store.prepare()
        async with store._engine.connect() as connection:
            assert await connection.run_sync(_differences) == []


def _differences(connection: Connection) -> list[object]:
    found: list[object] = compare_metadata(MigrationContext.configure(connection), METADATA)
    return found


async def test_older_outcomes_survive_the_upgrade(url: str) -> None:
    """A row of the first version has the columns of today. Unrecorded values are None."""
    sample = msgspec.structs.asdict(outcome_with(shadows={}))
    old = {name: value for name, value in sample.items() if name not in NEWER}
    async with Store(url) as store:
        if file := file_of(url):
            file.parent.mkdir(parents=True)
        async with store._engine.begin() as connection:
            await connection.run_sync(lambda one: command.upgrade(schema.config(one), "0001"))
            await connection.execute(OUTCOMES.insert().inline().values(old))
        await store.prepare()
        await store.add([outcome_with(part="p"), game_row(header_with())])
        [after, _] = sorted(await _stored(url), key=itemgetter("part"))
    assert (after["game_id"], after["result"]) == ("game", "win")
    older = {"part": "", "ended": True}
    assert {name: after[name] for name in NEWER} == dict.fromkeys(NEWER) | older


async def test_sqlite_is_durable_and_readable_while_written(tmp_path: Path) -> None:
    """The file is in write-ahead mode, each commit is synced, and others can read during a transaction."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(read_database(str(file)).url) as store:
        await store.prepare()
        async with store._engine.connect() as connection:
            for pragma, expected in (("journal_mode", "wal"), ("synchronous", 2)):
                found = await connection.exec_driver_sql(f"PRAGMA {pragma}")
                assert found.scalar() == expected
        reader = create_engine(f"sqlite:///{file}")
        async with store._engine.begin() as connection:
            await connection.execute(
                OUTCOMES.insert(), [msgspec.structs.asdict(outcome_with(shadows={}, searched={}))]
            )
            with reader.connect() as other:
                assert other.execute(select(func.count()).select_from(OUTCOMES)).scalar() == 0
        reader.dispose()


async def test_a_store_that_may_not_create_a_file_creates_none(tmp_path: Path) -> None:
    """A missing file is an error that names it."""
    file = tmp_path / "outcomes.sqlite"
    async with Store(read_database(str(file)).url) as store:
        with pytest.raises(FileNotFoundError, match=str(file)):
            await store.prepare(creates=False)
    assert not file.exists()


def failing(monkeypatch: pytest.MonkeyPatch, reason: str) -> list[str]:
    """Let the first upgrade fail for this reason; return a list of all that follow."""
    upgrades: list[str] = []

    def upgrade(connection: Connection) -> None:
        upgrades.append("begun")
        if len(upgrades) == 1:
            raise OperationalError("", {}, sqlite3.OperationalError(reason))
        UPGRADE(connection)

    monkeypatch.setattr(schema, "upgrade", upgrade)
    return upgrades


async def test_a_locked_file_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another gateway may be setting it up."""
    upgrades = failing(monkeypatch, "database is locked")
    async with Store(f"sqlite+aiosqlite:///{tmp_path / 'a.sqlite'}") as store:
        await store.prepare()
    assert len(upgrades) == 2


async def test_a_file_that_can_not_be_opened_leaves_no_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread of the driver would outlive its event loop, and print a traceback at each attempt."""
    failures: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", failures.append)
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        async with Store(f"sqlite+aiosqlite:///{tmp_path}") as store:
            await store.prepare()
    assert not failures
    assert not [each for each in threading.enumerate() if "connection_worker" in each.name]
