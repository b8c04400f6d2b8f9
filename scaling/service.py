"""KEDA's external scaler over gRPC."""

from collections.abc import AsyncIterator
from typing import Any, NoReturn

import grpc
import grpc.aio

from battlesnake_search.contract import externalscaler_pb2 as messages
from battlesnake_search.contract import externalscaler_pb2_grpc
from scaling.targets import SEARCHES, MetadataError, searches_per_pod
from scaling.watcher import Watcher

_Context = grpc.aio.ServicerContext[Any, Any]

_MOST_FAULTS = 3
"""Of the gateways that an error names."""


class ScalerService(externalscaler_pb2_grpc.ExternalScalerServicer):
    """Answers with what a watcher knows.

    Invalid metadata is INVALID_ARGUMENT. While no gateway answers, the load is UNAVAILABLE and not zero, for
    which KEDA would stop the searchers.
    """

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    async def IsActive(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> messages.IsActiveResponse:
        """Answer whether searchers should run."""
        await _target(request, context)
        is_active = self._watcher.is_active
        if is_active is None:
            await self._abort(context)
        return messages.IsActiveResponse(result=is_active)

    async def StreamIsActive(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> AsyncIterator[messages.IsActiveResponse]:
        """Send whether searchers should run, as soon as it is known and whenever it changes."""
        await _target(request, context)
        async for is_active in self._watcher.activity():
            yield messages.IsActiveResponse(result=is_active)

    async def GetMetricSpec(
        self, request: messages.ScaledObjectRef, context: _Context
    ) -> messages.GetMetricSpecResponse:
        """Answer with the one metric, and its target for each pod."""
        target = await _target(request, context)
        spec = messages.MetricSpec(metric_name=SEARCHES, target_size_float=target)
        return messages.GetMetricSpecResponse(metric_specs=[spec])

    async def GetMetrics(
        self, request: messages.GetMetricsRequest, context: _Context
    ) -> messages.GetMetricsResponse:
        """Answer with the number of searches that moves wait for at once."""
        await _target(request.scaled_object_ref, context)
        if request.metric_name != SEARCHES:
            reason = f"metricName: there is no {request.metric_name!r}; valid: {SEARCHES}"
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, reason)
        load = self._watcher.load
        if load is None:
            return await self._abort(context)
        value = messages.MetricValue(metric_name=SEARCHES, metric_value_float=load.searches)
        return messages.GetMetricsResponse(metric_values=[value])

    async def _abort(self, context: _Context) -> NoReturn:
        """End a call that asks for what is not known."""
        faults = self._watcher.faults
        more = [f"and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
        reasons = "; ".join([*faults[:_MOST_FAULTS], *more]) or "none has answered yet"
        await context.abort(grpc.StatusCode.UNAVAILABLE, f"no gateway answers: {reasons}")


async def _target(request: messages.ScaledObjectRef, context: _Context) -> float:
    """Return for how many searches a pod is; abort the call if the metadata does not say it."""
    try:
        return searches_per_pod(request.scaler_metadata)
    except MetadataError as error:
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, f"scalerMetadata.{error}")
