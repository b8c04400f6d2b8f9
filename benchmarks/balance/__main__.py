"""How evenly games share searchers of different sizes: python -m benchmarks.balance.

Three searchers have 1, 2 and 4 workers. Their searches only wait for the end of their time, so each worker is
like a whole core on any machine. Three gateways spread their games over them by different rules. The depth of
a search shows its share of a core.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from statistics import fmean
from typing import Any

import click
import grpc.aio

from battlesnake_search.channels import BALANCING, DIRECT
from battlesnake_search.common import logs
from battlesnake_search.common.cli import CONTEXT
from benchmarks.balance import SETTLING, Choose, Game, Stub, demand, searcher

WORKERS = (1, 2, 4)
GATEWAYS = 3
ROUND_ROBIN: dict[str, Any] = {"round_robin": {}}


@asynccontextmanager
async def by_policy(policy: dict[str, Any], addresses: Sequence[str]) -> AsyncIterator[Choose]:
    """Let gRPC choose by a policy."""
    config = json.dumps({"loadBalancingConfig": [policy]})
    options = [("grpc.service_config", config), ("grpc.use_local_subchannel_pool", 1), DIRECT]
    async with grpc.aio.insecure_channel(f"ipv4:{','.join(addresses)}", options=options) as channel:
        stub = Stub(channel)
        yield lambda: (stub, lambda: None)


@asynccontextmanager
async def least_occupied(addresses: Sequence[str], workers: Sequence[int]) -> AsyncIterator[Choose]:
    """Choose the searcher with the fewest of the gateway's own searches per worker."""
    async with AsyncExitStack() as stack:
        opened = (grpc.aio.insecure_channel(each, options=[DIRECT]) for each in addresses)
        channels = [await stack.enter_async_context(channel) for channel in opened]
        stubs, running = [Stub(channel) for channel in channels], [0] * len(addresses)

        def choose() -> tuple[Stub, Callable[[], None]]:
            best = min(range(len(stubs)), key=lambda number: (running[number] + 1) / workers[number])
            running[best] += 1

            def end() -> None:
                running[best] -= 1

            return stubs[best], end

        yield choose


async def measure(rule: str, games: int, seconds: float) -> list[str]:
    """Return a row of the table."""
    async with AsyncExitStack() as stack:
        servers = [await stack.enter_async_context(searcher(workers)) for workers in WORKERS]
        addresses = [address for _, address in servers]
        choices: list[Choose] = []
        for _ in range(GATEWAYS):
            if rule == "least occupied":
                gateway = least_occupied(addresses, WORKERS)
            else:
                gateway = by_policy(ROUND_ROBIN if rule == "round_robin" else BALANCING, addresses)
            choices.append(await stack.enter_async_context(gateway))
        begin = time.monotonic()
        playing = [Game() for _ in range(games)]
        until = begin + SETTLING + seconds
        moves = (game.play(choices[number % GATEWAYS], until) for number, game in enumerate(playing))
        all_moves = asyncio.gather(*moves)
        await asyncio.sleep(begin + SETTLING - time.monotonic())
        before = [demand(server) for server, _ in servers]
        await all_moves
        occupied = [
            (demand(server) - base) / (time.monotonic() - begin - SETTLING) / workers
            for (server, _), base, workers in zip(servers, before, WORKERS, strict=True)
        ]
        means = [game.mean(begin + SETTLING, until) for game in playing]
    spread = (max(means) - min(means)) / 2 / fmean(means)
    return [rule, f"{fmean(means):.1f}", f"{spread:.1%}", *(f"{each:.2f}" for each in occupied)]


@click.command(context_settings=CONTEXT)
@click.option("--games", type=click.IntRange(1), default=28, show_default=True)
@click.option("--seconds", type=click.FloatRange(1), default=20.0, show_default=True)
def main(games: int, seconds: float) -> None:
    """Print how evenly games share searchers, by the rule that spreads their calls."""
    logs.configure("text", "warning")
    columns = ["rule", "mean depth", "games differ by", *(f"searches a worker, of {n}" for n in WORKERS)]
    print(f"| {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) - 1)}")
    for rule in ("round_robin", "weighted_round_robin", "least occupied"):
        print(f"| {' | '.join(asyncio.run(measure(rule, games, seconds)))} |", flush=True)


if __name__ == "__main__":
    main()
