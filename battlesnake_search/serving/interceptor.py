"""The interceptor that every call passes: it checks the caller, reads the message and answers errors."""

import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from typing import Any, TypeAlias
from urllib.parse import unquote

import grpc
from google.protobuf.message import DecodeError
from google.rpc import code_pb2

from battlesnake_search.common import tracing
from battlesnake_search.common.access import Check
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.peers import OpenConnections
from battlesnake_search.common.sparse import FAULTS, Sparse
from battlesnake_search.serving.call_bounds import QUEUE_PATIENCE, Bytes, Readers
from battlesnake_search.serving.callers import Caller, Callers, current, known_name
from battlesnake_search.serving.errors import ExceededLimitError, RefusedCallError, RequestError
from battlesnake_search.serving.metrics_port import PortMetrics
from battlesnake_search.serving.program import Program

_IN_FULL = 0.9
"""The share of the time for a message after which its end is not an early one. Clocks differ a little."""

MOST_READERS = 128
"""The most calls whose message is being read, because gRPC may hold the largest message for each."""

_log = get_logger(__name__)

_Context = grpc.aio.ServicerContext[Any, Any]
_Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
_Messages = AsyncIterator[bytes]


class Guard(grpc.aio.ServerInterceptor):
    """Passes on the calls of permitted callers. A service's RequestError becomes the call's status."""

    def __init__(
        self,
        program: Program,
        callers: Callers,
        metrics: PortMetrics,
        on_call: Callable[[str], None] | None = None,
        connections: OpenConnections | None = None,
    ) -> None:
        """`on_call` receives the peer of each call, refused or not, and `connections` the permitted calls."""
        self._program = program
        self._callers = callers
        self._metrics = metrics
        self._refused = Sparse()
        self._on_call = on_call
        self._connections = connections
        self._readers = Readers(MOST_READERS)
        self._bytes = Bytes(program.messages.of_running_calls)
        self._bytes_of = {
            method: Bytes(bounds.of_running_calls) for method, bounds in program.messages_of.items()
        }

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["_Handler | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "_Handler | None":
        """Return the guarded handler of a call, or None for an unknown method, because gRPC answers it."""
        arrived = time.monotonic()
        handler = await continuation(handler_call_details)
        if handler is None:
            return None
        method = handler_call_details.method.removeprefix("/")
        check = self._callers.check(method, _authorization(handler_call_details))
        return self._guarded(handler, method, check, arrived)

    def _guarded(self, handler: _Handler, method: str, check: Check | None, arrived: float) -> _Handler:
        """Return a handler that reads messages itself.

        Otherwise gRPC would read a call's message before its caller is checked, wait for it forever, and
        answer invalid bytes with an exception's name. For a stream of bytes it does none of this.
        """

        # gRPC's iterator of messages would keep the last one until the next garbage collection.
        async def respond(_: _Messages, context: _Context) -> Any:
            async with _ending(), self._answering(method, check, arrived, context) as call:
                return await _behaviour(handler)(await self._request(handler, method, context, call), context)

        async def respond_often(_: _Messages, context: _Context) -> AsyncIterator[Any]:
            async with _ending(), self._answering(method, check, arrived, context) as call:
                responses = _behaviour(handler)(await self._request(handler, method, context, call), context)
                if isinstance(responses, Awaitable):  # the method writes its responses itself
                    await responses
                    return
                async with aclosing(responses):
                    async for response in responses:
                        yield response

        if handler.response_streaming:
            return grpc.stream_stream_rpc_method_handler(
                respond_often, response_serializer=handler.response_serializer
            )
        return grpc.stream_unary_rpc_method_handler(respond, response_serializer=handler.response_serializer)

    async def _request(self, handler: _Handler, method: str, context: _Context, call: AsyncExitStack) -> Any:
        """Return the message of a call, or the iterator over the messages of a stream."""
        if handler.request_streaming:
            return self._decoded(handler, method, context)
        message = await self._next(method, context)
        if message is None:
            raise RefusedCallError(code_pb2.INVALID_ARGUMENT, "no_message", "the call has no message")
        held = self._bytes_of.get(method, self._bytes)
        self._check_size(method, message)
        call.enter_context(held.held(current().key, len(message)))
        return _decode(handler, method, message)

    async def _decoded(self, handler: _Handler, method: str, context: _Context) -> AsyncIterator[Any]:
        """Yield the messages of a stream. Each one after the first may count as a call."""
        are_calls = self._program.bounds_of(method).are_calls
        caller: Caller | None = None
        while (message := await self._next(method, context)) is not None:
            if caller and are_calls:
                caller.count_call()
            caller = current()
            self._check_size(method, message)
            yield _decode(handler, method, message)

    async def _next(self, method: str, context: _Context) -> bytes | None:
        """Return the next message, or None at the end of the call's messages."""
        patience = self._program.bounds_of(method).patience
        if patience is None:
            # Silent streams would take the places of all readers.
            return await _read(context)
        begin = time.monotonic()
        try:
            async with self._readers.reading(patience):
                return await _read(context)
        except TimeoutError:
            if time.monotonic() - begin < _IN_FULL * patience:
                text = "no message arrived with the call, and too many calls wait for theirs"
                raise ExceededLimitError("no_message", text, QUEUE_PATIENCE) from None
            text = f"no message arrived within {patience:g} s"
            raise RefusedCallError(code_pb2.DEADLINE_EXCEEDED, "no_message", text) from None

    def _check_size(self, method: str, message: bytes) -> None:
        most = self._program.bounds_of(method).largest
        if len(message) > most:
            text = f"the request has {len(message)} bytes; a request for {method} may have {most}"
            raise RefusedCallError(code_pb2.RESOURCE_EXHAUSTED, "large_message", text)

    @asynccontextmanager
    async def _answering(
        self, method: str, check: Check | None, arrived: float, context: _Context
    ) -> AsyncIterator[AsyncExitStack]:
        """Make the caller and its trace the current ones, and answer errors with their status.

        Yields the stack that ends with the call.
        """
        if self._on_call:
            self._on_call(context.peer())
        with tracing.request(_headers(context)):
            async with self._answering_errors(check, context), AsyncExitStack() as call:
                calling = self._callers.calling(method, check, arrived, context.peer())
                caller = await call.enter_async_context(calling)
                if self._connections:
                    call.enter_context(self._connections.calling(context.peer(), caller.name))
                yield call

    @asynccontextmanager
    async def _answering_errors(self, check: Check | None, context: _Context) -> AsyncIterator[None]:
        try:
            yield
        except RequestError as error:
            if isinstance(error, RefusedCallError | ExceededLimitError):
                self._note_refusal(error.reason, check, context.peer())
            status = error.status()
            # The method's own trailers stay, because a refusal may report the load.
            trailers = (*(context.trailing_metadata() or ()), *status.trailing_metadata)
            await context.abort(status.code, status.details, trailers)
        except grpc.aio.BaseError:
            raise  # the status is set, or the caller has left
        except Exception as error:
            FAULTS.error(_log, "call failed", exc_info=error)
            await context.abort(
                grpc.StatusCode.INTERNAL, f"the call failed; the {self._program.name}'s log has the reason"
            )

    def _note_refusal(self, reason: str, check: Check | None, peer: str) -> None:
        """Count a refused call, and log at most one line a second for each reason and caller."""
        # A name counts if the token file has it, so that unknown callers can't create counters or fill the
        # log.
        known = known_name(check)
        self._metrics.refused.labels(reason, known).inc()
        if (left_out := self._refused.left_out(f"{reason} {known}")) is not None:
            claimed = check.name if check else ""
            _log.warning("call refused", reason=reason, token=claimed, peer=unquote(peer), count=left_out + 1)


@asynccontextmanager
async def _ending() -> AsyncIterator[None]:
    """End a handler after its call was aborted."""
    try:
        yield
    except grpc.aio.AbortError as error:
        # gRPC keeps this error and raises it again. With the frames, which have the context, the error would
        # keep the call and its message until the next garbage collection.
        error.__traceback__ = error.__context__ = None


def _headers(context: _Context) -> Mapping[str, str]:
    """Return the textual metadata of a call. Values of the same key are one list, as in HTTP."""
    headers: dict[str, str] = {}
    for key, value in context.invocation_metadata() or ():
        if isinstance(value, str):
            headers[key] = f"{headers[key]},{value}" if key in headers else value
    return headers


def _authorization(details: grpc.HandlerCallDetails) -> str:
    found = [value for key, value in details.invocation_metadata if key == "authorization"]
    return found[0] if len(found) == 1 and isinstance(found[0], str) else ""


def _behaviour(handler: _Handler) -> Callable[..., Any]:
    """Return the method of the service that a handler calls."""
    kinds = handler.unary_unary, handler.unary_stream, handler.stream_unary, handler.stream_stream
    return next(kind for kind in kinds if kind is not None)


async def _read(context: _Context) -> bytes | None:
    """Return the next message, or None at the end of the call's messages."""
    message = await context.read()
    return None if message is grpc.aio.EOF else message


def _decode(handler: _Handler, method: str, message: bytes) -> Any:
    try:
        return handler.request_deserializer(message) if handler.request_deserializer else message
    except DecodeError:
        text = f"the request is no valid message for {method}"
        raise RefusedCallError(code_pb2.INVALID_ARGUMENT, "invalid_message", text) from None
