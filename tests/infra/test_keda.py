"""KEDA's own scaler, with the settings of the manifests, beside real gateways that have no searcher."""

import asyncio
import itertools
import json
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from infra.checks.manifests import rendered
from tests.gateway.gateway_process import answers, start
from tests.gateway.scripted_searcher import body
from tests.support import admin
from tests.support.child_process import killed
from tests.support.command_process import PATIENCE, Process
from tests.support.dependencies import report_missing
from tests.support.keda import build_metrics_api
from tests.support.services import ROOT, free_port

HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
"""The addresses of gateways, which all have the same port, like pods."""


@pytest.fixture(scope="module")
def resources() -> dict[str, Any]:
    """The resources of the overlay with KEDA, by kind and name."""
    overlay = ROOT / "infra" / "kubernetes" / "overlays" / "keda"
    return {f"{each['kind']}/{each['metadata']['name']}": each for each in rendered(overlay)}


@pytest.fixture(scope="module")
def program() -> Path:
    """The program that asks as KEDA does."""
    if shutil.which("go") is None:
        report_missing("Go (it builds KEDA's scaler)", "golang-go")
    return build_metrics_api()


@dataclass
class Keda:
    """KEDA's operator. It knows the trigger, a Secret and the addresses of a Service's pods."""

    program: Path
    metadata: dict[str, str]
    authentication: dict[str, str]
    slices: list[Any]

    async def ask(self) -> tuple[float, bool]:
        """Return the metric's value, and whether searchers should run. Raises ValueError without a value."""
        known = {
            "metadata": self.metadata,
            "authentication": self.authentication,
            "slices": {"items": self.slices},
        }
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(self.program, stdin=pipe, stdout=pipe, stderr=pipe)
        output, error = await process.communicate(json.dumps(known).encode())
        if process.returncode:
            raise ValueError(error.decode())
        value, active = output.decode().split()
        return float(value), active == "true"

    async def until(self, low: float, high: float) -> None:
        """Wait until the value is between two numbers, and searchers should run if it is above 0."""
        answer: tuple[float, bool] | None = None
        async with asyncio.timeout(PATIENCE):
            while answer is None or not low <= answer[0] <= high:
                answer = await self.ask()
        assert answer[1] == (high > 0)


def _keda(program: Path, resources: dict[str, Any], port: int) -> Keda:
    """Return a KEDA that knows gateways on HOSTS, with a port other than the manifests'."""
    [trigger] = resources["ScaledObject/searcher"]["spec"]["triggers"]
    authentication = resources[f"TriggerAuthentication/{trigger['authenticationRef']['name']}"]["spec"]
    service = resources["Service/gateway-metrics"]["metadata"]
    addresses = {
        "metadata": {
            "name": "addresses",
            "namespace": service["namespace"],
            "labels": {"kubernetes.io/service-name": service["name"]},
        },
        "addressType": "IPv4",
        "endpoints": [{"addresses": [host], "conditions": {"ready": True}} for host in HOSTS],
        "ports": [{"port": port}],
    }
    url = re.sub(r":\d+/", f":{port}/", trigger["metadata"]["url"])
    # As README.md's command writes it.
    secrets = {each["parameter"]: f"{admin.TOKEN}\n" for each in authentication["secretTargetRef"]}
    return Keda(program, trigger["metadata"] | {"url": url}, secrets, [addresses])


@dataclass
class Gateway:
    """A gateway, and the games that play there."""

    process: Process
    client: aiohttp.ClientSession
    playing: dict[str, asyncio.Task[None]]

    async def begin(self, count: int) -> None:
        """Start games that ask for move after move."""
        for number in range(count):
            game = f"{number}"
            await self.client.post("/start", json=body(id=game, timeout=500))
            self.playing[game] = asyncio.create_task(self._play(game))

    async def end(self) -> None:
        """End all games."""
        for task in self.playing.values():
            task.cancel()
        await asyncio.gather(*self.playing.values(), return_exceptions=True)
        for game in self.playing:
            await self.client.post("/end", json=body(id=game, timeout=500))
        self.playing.clear()

    async def die(self) -> None:
        """End without a word, in the middle of the games."""
        await killed(self.process)
        await asyncio.gather(*self.playing.values(), return_exceptions=True)

    async def _play(self, game: str) -> None:
        turn = body(id=game, timeout=500)
        for number in itertools.count(turn["turn"]):
            async with self.client.post("/move", json=turn | {"turn": number}) as answer:
                answer.raise_for_status()


@asynccontextmanager
async def _gateway(host: str, port: int) -> AsyncIterator[Gateway]:
    target = f"dns:///127.0.0.1:{free_port()}"
    metrics = {"CONSOLE_TARGET": "none", "PUBLIC_METRICS": "1"}
    process = await start("--host", host, "--port", f"{port}", "--searcher", target, **metrics)
    try:
        async with aiohttp.ClientSession(f"http://{host}:{port}") as client:
            await asyncio.wait_for(answers(client, "/healthz"), PATIENCE)
            yield Gateway(process, client, {})
    finally:
        await killed(process)


async def test_searchers_come_with_the_first_game_and_go_with_the_last(
    program: Path, resources: dict[str, Any]
) -> None:
    """A round, the death of a gateway within it, silence, and a game again.

    A wrong token or no gateway is an error, by which KEDA stops no searcher.
    """
    port = free_port()
    keda = _keda(program, resources, port)
    async with AsyncExitStack() as stack:
        gateways = [await stack.enter_async_context(_gateway(host, port)) for host in HOSTS]
        assert await keda.ask() == (0, False)
        for gateway in gateways:
            await gateway.begin(4)
        await keda.until(9, 12)
        one, other, dying = gateways
        await dying.die()
        await keda.until(6, 8)
        for gateway in (one, other):
            await gateway.end()
        await keda.until(0, 0)
        await one.begin(1)
        await keda.until(1, 1)
        await one.end()
        # Between two moves.
        await other.client.post("/start", json=body(id="again", timeout=500))
        await keda.until(0.01, 0.01)
        keda.authentication = dict.fromkeys(keda.authentication, "tests.another")
        with pytest.raises(ValueError, match="could not get any metric"):
            await keda.ask()
    with pytest.raises(ValueError, match="could not get any metric successfully from the 3 provided"):
        await keda.ask()
