"""Lines of the log that callers can cause."""

import logging

import grpc.aio
import pytest

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse, sparse_libraries
from tests.support.clock import Clock
from tests.support.logs import capture_logs


def test_libraries_log_one_fault_a_second(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unsent answers are counted and left out. A log without the filter is as before."""
    log = logging.getLogger("grpc._cython.cygrpc")
    # A server of another test may still have a filter of its own.
    monkeypatch.setattr(log, "filters", [])
    count: list[int] = []
    with sparse_libraries(lambda: count.append(1)):
        log.error("unsent", exc_info=grpc.aio.InternalError('Failed "execute_batch": (GRPC_CALL_ERROR)'))
        for number in range(50):
            log.error("fault %d", number)
    log.error("fault %d", 50)
    assert len(count) == 1
    assert [record.getMessage() for record in caplog.records] == ["fault 0", "fault 50"]


def test_a_flood_is_a_burst_and_then_some_lines_a_second() -> None:
    """The line after a gap has the number of lines that were left out."""
    clock = Clock()
    sparse = Sparse(burst=3, rate=2.0, now=clock)
    with capture_logs() as lines:
        for _ in range(100):
            sparse.log(get_logger("here"), logging.WARNING, "again", field=1)
        clock.seconds += 0.75
        for _ in range(100):
            sparse.log(get_logger("here"), logging.WARNING, "again", field=1)
        clock.seconds += 100
        for _ in range(100):
            sparse.log(get_logger("here"), logging.WARNING, "again", field=1)
    assert [line.get("left_out") for line in lines] == [None, None, None, 97, 99, None, None]
