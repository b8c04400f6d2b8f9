"""The errors that calls end with in place of an answer, each with its gRPC status."""

import math
from collections.abc import Iterable

import grpc
from google.protobuf import duration_pb2
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status


class RequestError(Exception):
    """An error in place of a request's result. Each subclass has its gRPC code."""

    code: code_pb2.Code = code_pb2.INTERNAL

    def status(self) -> grpc.Status:
        """Return the gRPC status for the caller."""
        status: grpc.Status = rpc_status.to_status(self._message())
        return status

    def details(self) -> Iterable[Message]:
        """Yield the messages of `google.rpc` that the status has as its details."""
        return ()

    def _message(self) -> status_pb2.Status:
        message = status_pb2.Status(code=self.code, message=str(self))
        for each in self.details():
            message.details.add().Pack(each)
        return message


class OverloadedError(RequestError):
    """There is no room for the request. There may be room after `retry_after` seconds."""

    code = code_pb2.RESOURCE_EXHAUSTED

    def __init__(self, text: str, retry_after: float) -> None:
        super().__init__(text)
        self.retry_after = retry_after

    def details(self) -> Iterable[Message]:
        """Yield the time after which to try again."""
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(max(1, math.ceil(self.retry_after * 1000)))
        yield error_details_pb2.RetryInfo(retry_delay=delay)


class RefusedCallError(RequestError):
    """A call that the port refuses because of its caller. `reason` is the counter's label."""

    def __init__(self, code: code_pb2.Code, reason: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.reason = reason


class ExceededLimitError(OverloadedError):
    """A call beyond a limit. After `retry_after` seconds there is room again."""

    def __init__(self, reason: str, text: str, retry_after: float) -> None:
        super().__init__(text, retry_after)
        self.reason = reason
