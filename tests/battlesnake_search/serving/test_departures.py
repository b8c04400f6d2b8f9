"""Calls that end while their answer is being sent."""

import logging

import grpc
import pytest

from battlesnake_search.common.sparse import sparse_libraries

GRPC = logging.getLogger("grpc._cython.cygrpc")


@pytest.fixture(autouse=True)
def no_other_filters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the filters of other ports in this process: the first filter of all counts a record."""
    monkeypatch.setattr(GRPC, "filters", [])


def test_faults_of_the_server_stay_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Only what could not be sent is left out, and that only while a port listens."""
    count: list[int] = []
    with sparse_libraries(lambda: count.append(1)):
        GRPC.error("unsent", exc_info=unsent())
        GRPC.error("a fault", exc_info=grpc.aio.InternalError("another"))
    GRPC.error("later", exc_info=unsent())
    assert caplog.messages == ["a fault", "later"]
    assert len(count) == 1


def unsent() -> grpc.aio.InternalError:
    """Return gRPC's error for an answer that it could not send."""
    return grpc.aio.InternalError('Failed "execute_batch": (GRPC_CALL_ERROR)')
