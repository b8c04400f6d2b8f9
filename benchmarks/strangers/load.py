"""The process of a stranger: python -m benchmarks.strangers.load PLAN. It prints its report as JSON."""

import asyncio
import os
import resource
import signal
import sys
from contextlib import suppress

import msgspec
import uvloop

from benchmarks.strangers import at_searcher, at_snake
from benchmarks.strangers.plan import Plan, Report

STRANGERS = {each.name: each for each in (*at_snake.STRANGERS, *at_searcher.STRANGERS)}
"""All strangers by name, in the order of the page's table."""

_PRIORITY = 10
"""Real strangers have their own processors, so this process has a low priority."""

PATIENCE = 120.0
"""Seconds after the plan's time until the system ends this process: on a busy machine it starts late."""


async def run(plan: Plan) -> Report:
    """Disturb the services until the requests or the time of the plan are used up."""
    report = Report()
    with suppress(TimeoutError):
        async with asyncio.timeout(plan.seconds):
            await STRANGERS[plan.stranger].act(plan, report)
    return report


def main() -> None:
    """Run the plan of the command line."""
    plan = msgspec.json.decode(sys.argv[1], type=Plan)
    os.nice(_PRIORITY)
    signal.alarm(round(plan.seconds + PATIENCE))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    report = uvloop.run(run(plan))
    print(msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main()
