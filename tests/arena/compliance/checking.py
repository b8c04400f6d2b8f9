"""Runs checks against an outside snake on the loopback address."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena.compliance.caller import Target
from arena.compliance.suite import Check
from arena.compliance.verdicts import Verdict
from tests.arena import outside
from tests.arena.outside import OutsideSnake

IN_TIME = 5000
"""Milliseconds; a timeout that an answer at once never takes, however busy the machine."""


@asynccontextmanager
async def target(snake: OutsideSnake, timeout: int = IN_TIME) -> AsyncIterator[Target]:
    """The snake, served until the block ends, as a target of checks with two games at once."""
    async with outside.running(snake) as url:
        yield Target(url, timeout, games=2)


async def verdicts(check: Check, snake: OutsideSnake, timeout: int = IN_TIME) -> dict[str, Verdict]:
    """The verdicts of a check on the snake, by name."""
    async with target(snake, timeout) as checked:
        return {verdict.name: verdict for verdict in await check(checked)}


def passed(verdicts: dict[str, Verdict]) -> bool:
    """Whether none of them warns or fails."""
    return {verdict.outcome for verdict in verdicts.values()} == {"pass"}
