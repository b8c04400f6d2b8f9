"""The connections to a database: sessions of a server, and what a file is set to."""

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from console.store.database import is_incurable, read_database
from console.store.records import RecordRow
from console.store.store import Store
from tests.console.store.outcome_samples import OUTCOME, stored_outcomes
from tests.support.postgres import Postgres


async def _run(postgres: Postgres, statement: str) -> None:
    writable = f"{postgres.url}?options=-c%20default_transaction_read_only%3Doff"
    async with Store(read_database(writable).url) as store, store._engine.connect() as connection:
        await connection.execution_options(isolation_level="AUTOCOMMIT")
        await connection.execute(text(statement))


async def test_a_database_that_is_writable_again_is_written(postgres: Postgres) -> None:
    """A session that began while the database was read-only stays read-only, so it is replaced."""
    async with Store(read_database(postgres.url).url) as store:
        await store.prepare()
    await _run(postgres, "ALTER DATABASE postgres SET default_transaction_read_only = on")
    try:
        async with Store(read_database(postgres.url).url) as store:
            with pytest.raises(DBAPIError, match="read-only transaction"):
                await store.add([OUTCOME])
            await _run(postgres, "ALTER DATABASE postgres RESET default_transaction_read_only")
            await store.add([OUTCOME])
    finally:
        await _run(postgres, "ALTER DATABASE postgres RESET default_transaction_read_only")


async def test_a_lost_server_is_curable(tmp_path: Path) -> None:
    """A later attempt may find it. A file in a file will never be one."""
    async with Store(read_database("postgresql://me@127.0.0.1:1/games").url) as store:
        with pytest.raises(OSError) as raised:
            await store.prepare()
    assert not is_incurable(raised.value)
    (tmp_path / "file").touch()
    (tmp_path / "text").write_text("no database" * 100)
    for name in ("file/games.sqlite", "text"):
        async with Store(read_database(str(tmp_path / name)).url) as store:
            with pytest.raises(Exception) as refused:
                await store.prepare()
        assert is_incurable(refused.value), name


async def test_the_words_of_a_url_reach_the_server(postgres: Postgres) -> None:
    """Settings of the session and several hosts are as in the URL, for writers and reports."""
    nowhere = postgres.url.replace("127.0.0.1:", "127.0.0.1:1,127.0.0.1:")
    words = (
        "application_name=snake&options=-c%20work_mem%3D5MB&connect_timeout=3&target_session_attrs=read-write"
    )
    url = read_database(f"{nowhere}?{words}&sslmode=prefer&channel_binding=require&keepalives=1").url
    async with Store(url) as store:
        await store.prepare()
        async with store._engine.connect() as connection:
            assert await connection.scalar(text("SHOW work_mem")) == "5MB"
            assert await connection.scalar(text("SHOW application_name")) == "snake"
        assert await stored_outcomes(url) is not None


async def test_a_file_keeps_no_rows_in_memory(tmp_path: Path) -> None:
    """A prepared statement would keep the values of its last execution. Each number of rows has one."""
    async with Store(read_database(str(tmp_path / "games.sqlite")).url) as store:
        await store.prepare()
        for number in range(1, 4):
            await store.add([RecordRow("game", turn, "me", bytes(9)) for turn in range(number)])
        async with store._engine.connect() as connection:
            if await connection.scalar(text("SELECT NOT sqlite_compileoption_used('ENABLE_STMTVTAB')")):
                pytest.skip("this SQLite does not list its statements")
            prepared = list(await connection.scalars(text("SELECT sql FROM sqlite_stmt")))
    assert len(prepared) == 1
