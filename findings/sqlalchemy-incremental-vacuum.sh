#!/usr/bin/env bash
# SQLAlchemy 2.1.9 with aiosqlite 0.22.1: "PRAGMA incremental_vacuum(1000)" returns one free page to the system, not
# a thousand. The statement frees a page with each of its steps, and a cursor of Python's sqlite3 makes one step for a
# statement without result columns. SQLAlchemy closes the cursor, and no error tells that pages are left. The driver's
# executescript() makes all steps.
#
# Seen:
#   free pages: 488
#   after exec_driver_sql("PRAGMA incremental_vacuum(1000)"): 487
#   after executescript("PRAGMA incremental_vacuum(1000)"): 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q 'sqlalchemy[asyncio]==2.1.9' aiosqlite==0.22.1
cd "$folder"
venv/bin/python - <<'PYTHON'
import asyncio

from sqlalchemy.ext.asyncio import create_async_engine

VACUUM = "PRAGMA incremental_vacuum(1000)"


async def main():
    engine = create_async_engine("sqlite+aiosqlite:///file.sqlite", isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:

        async def free():
            return (await connection.exec_driver_sql("PRAGMA freelist_count")).scalar()

        await connection.exec_driver_sql("PRAGMA auto_vacuum = INCREMENTAL")
        await connection.exec_driver_sql("CREATE TABLE t (x BLOB)")
        await connection.exec_driver_sql("INSERT INTO t VALUES (zeroblob(2000000))")
        await connection.exec_driver_sql("DELETE FROM t")
        before = await free()
        await connection.exec_driver_sql(VACUUM)
        after = await free()
        driver = (await connection.get_raw_connection()).driver_connection
        await driver.executescript(VACUUM)
        last = await free()
    await engine.dispose()
    print("free pages:", before)
    print(f'after exec_driver_sql("{VACUUM}"): {after}')
    print(f'after executescript("{VACUUM}"): {last}')
    assert before > 100 and after == before - 1 and last == 0


asyncio.run(main())
PYTHON
