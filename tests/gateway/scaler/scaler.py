"""The scaler as a process, and a client that calls it as KEDA does."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import grpc.aio

from battlesnake_search.contract import externalscaler_pb2 as messages
from battlesnake_search.contract.externalscaler_pb2_grpc import ExternalScalerStub
from tests.support.child_process import killed
from tests.support.services import free_port

PATIENCE = 30.0
"""Seconds: far more than anything takes on a busy machine."""

QUICK = {"SCALER_COOLDOWN": "1", "SCALER_PATIENCE": "2"}


class Scaler:
    """A scaler process, and a client with a ScaledObject."""

    def __init__(self, process: asyncio.subprocess.Process, address: str, channel: grpc.aio.Channel) -> None:
        self.process = process
        self.address = address
        self.channel = channel
        self.stub = ExternalScalerStub(channel)

    async def searches(self, **metadata: str) -> float:
        """Return the value of the metric."""
        request = messages.GetMetricsRequest(metric_name="searches", scaled_object_ref=ref(metadata))
        (value,) = (await self.stub.GetMetrics(request)).metric_values
        assert value.metric_name == "searches"
        return float(value.metric_value_float)

    async def target(self, **metadata: str) -> float:
        """Return the target of the metric for each pod."""
        (spec,) = (await self.stub.GetMetricSpec(ref(metadata))).metric_specs
        assert spec.metric_name == "searches"
        return float(spec.target_size_float)

    async def is_active(self) -> bool:
        """Return whether searchers should run."""
        return bool((await self.stub.IsActive(ref({}))).result)

    async def until(self, low: float, high: float) -> None:
        """Wait until the metric is between two values."""
        found = -1.0
        async with asyncio.timeout(PATIENCE):
            while not low <= found <= high:
                await asyncio.sleep(0.1)
                with suppress(grpc.aio.AioRpcError):
                    found = await self.searches()


def ref(metadata: Mapping[str, str]) -> messages.ScaledObjectRef:
    """Return a ScaledObject whose trigger has this metadata, besides the fields for KEDA itself."""
    of_keda = {"scalerAddress": "scaler:50060"}
    return messages.ScaledObjectRef(
        name="searcher", namespace="battlesnake", scaler_metadata={**of_keda, **metadata}
    )


@asynccontextmanager
async def scaler(*gateways: str, **environment: str) -> AsyncIterator[Scaler]:
    """Run a scaler of these gateways; yield it when it serves."""
    listen = f"127.0.0.1:{free_port()}"
    options = [option for each in gateways for option in ("--gateways", each)]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "gateway", "scaler", "--listen", listen, *options),
        env=os.environ | QUICK | environment,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with grpc.aio.insecure_channel(listen) as channel:
            await asyncio.wait_for(channel.channel_ready(), PATIENCE)
            yield Scaler(process, listen, channel)
    finally:
        await killed(process)
