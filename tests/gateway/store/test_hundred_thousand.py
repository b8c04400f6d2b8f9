"""A hundred thousand turns that are recorded while the database is killed and restarted."""

import asyncio
import re

import msgspec
from sqlalchemy import func, select

from gateway.game.events import Asked
from gateway.metrics import Metrics
from gateway.store.database import read_database
from gateway.store.feed import Feed
from gateway.store.memory import Memory
from gateway.store.recorder import GameRecorder
from gateway.store.schema import GAME_RECORDS, GAMES
from gateway.store.store import Store
from gateway.store.writer import LEAST_BYTES, MAX_ROW_BYTES, Writer
from tests.gateway.store.game_samples import CHOICE, turn_at
from tests.support.logs import capture_logs
from tests.support.postgres import Postgres

TURNS = 100_000
MOST_ROWS = MAX_ROW_BYTES // LEAST_BYTES
"""The most rows that wait for the database."""
OF_A_GAME = 500
KILLED_AT = 30_000
BACK_AT = KILLED_AT + MOST_ROWS + 10_000
AT_ONCE = 500
PATIENCE = 300.0


async def test_a_hundred_thousand_turns_and_a_killed_database(postgres: Postgres) -> None:
    """Each turn is in the database or was counted as lost, and two lines report the loss."""
    metrics = Metrics()
    with capture_logs() as lines:
        async with Store(read_database(postgres.url).url) as store:
            await store.prepare()
            before = await _rows(store)
            async with Writer(store, metrics) as writing:
                recorder = GameRecorder(Memory(10), Feed(), metrics.records, writing.put)
                await _record(recorder, range(KILLED_AT), metrics)
                postgres.kill()
                await _record(recorder, range(KILLED_AT, BACK_AT))
                await asyncio.to_thread(postgres.start)
                await _record(recorder, range(BACK_AT, TURNS), metrics)
                await _until_waiting(metrics, 0)
            stored = await _rows(store) - before
    lost = metrics.records.lost
    assert stored + lost == TURNS + TURNS // OF_A_GAME
    assert _sample(metrics, 'gateway_game_records_total{fate="written"}') == stored
    # Otherwise the outage was too short to test anything, or the buffer was.
    assert 0 < lost < TURNS / 2
    told = [line for line in lines if line["event"].startswith("records of games are")]
    assert [line["event"] for line in told] == [
        "records of games are lost",
        "records of games are written again",
    ]
    assert told[1]["lost"] == lost


async def _record(recorder: GameRecorder, numbers: range, metrics: Metrics | None = None) -> None:
    """Hand the recorder a turn for each number, as fast as it takes them and, given metrics, the database."""
    turn = turn_at(0)
    for number in numbers:
        game = msgspec.structs.replace(turn.game, id=f"of a hundred thousand {number // OF_A_GAME}")
        recorder.take(Asked(msgspec.structs.replace(turn, turn=number % OF_A_GAME, game=game), CHOICE))
        if number % AT_ONCE == 0:
            await asyncio.sleep(0.005)
            if metrics:
                await _until_waiting(metrics, MOST_ROWS // 2)


async def _rows(store: Store) -> int:
    async with store._engine.connect() as connection:
        counts = [
            await connection.scalar(select(func.count()).select_from(table))
            for table in (GAMES, GAME_RECORDS)
        ]
    return sum(count or 0 for count in counts)


async def _until_waiting(metrics: Metrics, most: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while _sample(metrics, "gateway_game_records_waiting") > most:
            await asyncio.sleep(0.1)


def _sample(metrics: Metrics, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", metrics.text()[0].decode(), re.MULTILINE)
    assert found, name
    return float(found[1])
