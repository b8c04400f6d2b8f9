"""One step more of each input of a console's port for events, and of the outbox that sends them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc.aio
import msgspec
from prometheus_client import CollectorRegistry

from battlesnake_search.board import Point
from battlesnake_search.common.metrics import EventLoopMetrics
from battlesnake_search.contract import record_pb2, record_pb2_grpc
from battlesnake_search.serving.metrics_port import MetricsPorts, PortMetrics
from battlesnake_search.serving.port import OPEN_PORT, Port
from console.settings import CONSOLE, Settings
from gateway.outbox.outbox import Outbox
from tests.battlesnake_search.record import test_refusals
from tests.console.store.game_samples import recording, turn_at
from tests.console.web import console
from tests.docs.bounds import probe, tested
from tests.gateway.outbox.events import SIZE, maker

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
BATCH = 1000
"""The events that are put into an outbox before the disk gets its turn."""


@asynccontextmanager
async def _serving() -> AsyncIterator[Any]:
    """Serve a console's port with its bounds; yield a stub of its service."""
    registry = CollectorRegistry()
    metrics = PortMetrics("console", registry), MetricsPorts(registry, EventLoopMetrics("console", registry))
    async with console.recording(Settings()) as (served, _):
        port = Port("127.0.0.1:0", OPEN_PORT, CONSOLE, *metrics)
        record_pb2_grpc.add_RecordServiceServicer_to_server(served.service, port.server)
        address = await port.start()
        async with grpc.aio.insecure_channel(address) as channel:
            yield record_pb2_grpc.RecordServiceStub(channel)
        await port.stop(0.0)


def _event(size: int) -> record_pb2.Event:
    """Return an event of a size in bytes. Its only field is a long id."""
    event = record_pb2.Event(number=1)
    length = size
    for _ in range(3):
        event.probed.game_id = "g" * length
        # A shorter text may also have a shorter length in front of it.
        length -= event.ByteSize() - size
    assert event.ByteSize() == size
    return event


@probe("console.settings.LARGEST_REQUEST")
async def _request(most: int) -> None:
    async with _serving() as stub:
        for size, code in ((most, grpc.StatusCode.OK), (most + 1, EXHAUSTED)):
            request = record_pb2.RecordRequest(events=[_event(size - 4)])
            assert request.ByteSize() == size
            call = stub.Record(iter([request]))
            # A call has its status when its answers have been read.
            with suppress(grpc.aio.AioRpcError):
                _ = [response async for response in call]
            assert await call.code() is code


@probe("gateway.outbox.outbox.MEMORY_BYTES")
async def _memory(most: int) -> None:
    make = maker()
    # The folder is a file, so there is only the memory.
    async with Outbox(1, Path(__file__)) as outbox:
        for _ in range(most // SIZE + 1):
            outbox.put(make, False)
        assert most / 2 < outbox.size <= most and outbox.dropped > 0


@probe("gateway.outbox.outbox.FILE_BYTES")
async def _file(most: int) -> None:
    make = maker()
    with TemporaryDirectory() as folder:
        async with Outbox(1, Path(folder)) as outbox:
            for _ in range(most // SIZE // BATCH + 1):
                for _ in range(BATCH):
                    outbox.put(make, False)
                await outbox.sync()
            assert most / 4 < outbox.size <= most and outbox.dropped > 0
        assert (Path(folder) / "outbox-1").stat().st_size <= most


@probe("console.store.live.MOST_BYTES")
async def _running_games(most: int) -> None:
    large = turn_at(5).with_board(hazards=[Point(1, 1)] * 4000)
    number = 2 * most // large.size
    async with recording() as records:
        for game in range(number):
            rules = msgspec.structs.replace(large.game, id=str(game))
            await records.started(msgspec.structs.replace(large, game=rules))
        assert most / 2 < sum(game.size for game in records.live) <= most
        assert len(records.live) < number and await records.store.count() == number


tested(
    "battlesnake_search.record.wire.MOST_EVENT_BYTES",
    test_refusals.test_an_event_of_too_many_bytes_is_refused,
)
