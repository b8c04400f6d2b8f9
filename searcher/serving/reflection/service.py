"""Server reflection in both of its versions, loaded when a caller first asks for it: few do."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import grpc

_PREFIX = "/grpc.reflection."


class Reflection(grpc.GenericRpcHandler):
    """Handles the calls of reflection, which describe these services and reflection itself."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services = tuple(services)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Return the handler of a call; None if it isn't one of reflection."""
        method = handler_call_details.method
        return self._handlers.get(method) if method.startswith(_PREFIX) else None

    @cached_property
    def _handlers(self) -> "Mapping[str, grpc.RpcMethodHandler[Any, Any]]":
        from searcher.serving.reflection.handlers import handlers_for

        return handlers_for(self._services)
