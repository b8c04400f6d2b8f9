"""The cost of TLS and tokens for a move: python -m benchmarks.tls.

Three pairs of a gateway and a searcher differ in their connection: plaintext, TLS, or mutual TLS and a token.
They are called in turn, so that other work of the machine affects all alike. The measure is the gateway's
time on top of the search, from the request's arrival to its answer. The exit status is 1 if the median over
TLS exceeds the median over plaintext by too much.
"""

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import aiohttp
import click
import msgspec
import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from battlesnake_search.channels import TLS, CredentialFiles
from battlesnake_search.common.access import CertificateFiles
from battlesnake_search.common.cli import CONTEXT
from battlesnake_search.common.estimation import CONFIDENCE, Estimate
from battlesnake_search.options import CREDENTIALS
from battlesnake_search.reader import decode
from tests.support.admin import HEADERS
from tests.support.certificates import Files
from tests.support.searchers import searcher
from tests.support.services import ROOT, compile_default, free_port, running_gateway

TURN = decode((ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json").read_bytes())

ROUTES = """
[[snakes]]
path = "/"

[[snakes.arms]]
name = "short"
limits = { depth = 1 }
"""

MOVES = 2000
"""Moves of each kind."""

WARM_UP = 50
"""Moves that don't count."""

Ask = Callable[[int], Awaitable[float]]
"""Requests the move of a turn, and returns the milliseconds that it took on top of the search."""


LIMIT = 0.3
"""Milliseconds that a move may take longer than over plaintext, in the median."""

COLUMNS = ("connection", "p50 ms", "p99 ms", "p50 above plaintext", "95 % interval", "at most")

_RESAMPLES = 1000

_Times: TypeAlias = "npt.NDArray[np.float64]"


@dataclass(frozen=True)
class Comparison:
    """Milliseconds on top of searches by the kind of connection, plaintext first."""

    times: Mapping[str, Sequence[float]]

    def rows(self) -> Iterator[list[str]]:
        """Yield the cells of each kind's row."""
        plaintext, *_ = self.times
        for name, times in self.times.items():
            cells = [name, *(f"{np.percentile(times, percent):.2f}" for percent in (50, 99))]
            yield cells if name == plaintext else [*cells, *self._compared(name)]

    @property
    def is_well(self) -> bool:
        """Whether every kind stays within the limit."""
        _, *others = self.times
        return all(self.above(name).value <= LIMIT for name in others)

    def above(self, name: str) -> Estimate:
        """Return by how much the median of a kind exceeds the median of plaintext."""
        # Only the report waits for this slow import.
        from scipy.stats import bootstrap

        plaintext, *_ = self.times.values()
        pair = (np.array(plaintext), np.array(self.times[name]))
        found = bootstrap(
            pair, _above, n_resamples=_RESAMPLES, confidence_level=CONFIDENCE, method="percentile", rng=1
        ).confidence_interval
        return Estimate(float(_above(*pair)), float(found.low), float(found.high))

    def _compared(self, name: str) -> list[str]:
        above = self.above(name)
        return [f"{above.value:+.3f}", f"{above.low:+.3f} to {above.high:+.3f}", f"{LIMIT:+.1f}"]


def _above(plaintext: _Times, others: _Times, axis: int = -1) -> Any:
    """Return the difference of medians along an axis, in the form for the bootstrap."""
    return np.median(others, axis=axis) - np.median(plaintext, axis=axis)


@dataclass(frozen=True)
class Kind:
    """A kind of connection: the searcher's options, and the gateway's credentials."""

    name: str
    scheme: str
    options: Sequence[str]
    shown: CredentialFiles


def kinds(files: Files) -> Sequence[Kind]:
    """Return the compared kinds."""
    authorities = CertificateFiles(authorities=files.certificates("client").authorities)
    return (
        Kind("plaintext", "", (), CredentialFiles()),
        Kind("TLS", TLS, files.options[:4], CredentialFiles(authorities)),
        Kind("mutual TLS, token", TLS, files.options, files.caller),
    )


@click.command(context_settings=CONTEXT)
def main() -> None:
    """Measure moves over plaintext, TLS, and mutual TLS with a token."""
    compile_default()
    compared = asyncio.run(_measure())
    table = Table(*COLUMNS)
    for row in compared.rows():
        table.add_row(*row)
    Console(width=120).print(table)
    sys.exit(not compared.is_well)


async def _measure() -> Comparison:
    gateways = dict[str, Ask]()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        (folder / "routes.toml").write_text(ROUTES)
        for kind in kinds(Files(folder)):
            target = await stack.enter_async_context(_searcher(kind))
            gateways[kind.name] = await stack.enter_async_context(_gateway(kind, target, folder))
        return await _compare(gateways, MOVES)


@asynccontextmanager
async def _searcher(kind: Kind) -> AsyncIterator[str]:
    """Run a searcher; yield its target."""
    port, health = free_port(), f"127.0.0.1:{free_port()}"
    async with searcher(f"127.0.0.1:{port}", *kind.options, health=health):
        yield f"{kind.scheme}localhost:{port}"


@asynccontextmanager
async def _gateway(kind: Kind, target: str, folder: Path) -> AsyncIterator[Ask]:
    """Run a gateway; yield a function that requests moves from it."""
    certificates = kind.shown.certificates
    files = certificates.authorities, certificates.chain, certificates.key, kind.shown.token
    given = zip(CREDENTIALS, files, strict=True)
    options = [part for name, file in given if file for part in (f"--{name.replace('_', '-')}", str(file))]
    routes = ["--routes", str(folder / "routes.toml")]
    with running_gateway(folder / f"{kind.name}.log", "--searcher", target, *routes, *options) as url:
        async with aiohttp.ClientSession(url, headers=HEADERS) as session:
            before = 0.0

            async def ask(number: int) -> float:
                nonlocal before
                body = msgspec.json.encode(msgspec.structs.replace(TURN, turn=number))
                async with session.post("/move", data=body) as answer:
                    await answer.read()
                async with session.get("/metrics") as metrics:
                    former, before = before, _overhead(await metrics.text())
                return before - former

            yield ask


def _overhead(metrics: str) -> float:
    """Return the milliseconds that all moves of a gateway took on top of their searches."""
    [line] = [line for line in metrics.splitlines() if line.startswith("gateway_overhead_seconds_sum ")]
    return float(line.split()[1]) * 1000


async def _compare(asked: Mapping[str, Ask], moves: int) -> Comparison:
    """Call the kinds in turn, in changing order, so that each is equally often first, second and third."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    names = [*asked]
    for number in range(WARM_UP + moves):
        names.append(names.pop(0))
        for name in names:
            passed = await asked[name](number)
            if number >= WARM_UP:
                times[name].append(passed)
    return Comparison(times)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.tls")
