"""Checks of an outside snake on the loopback address."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from arena.compliance.exchanges import CheckResult, Endpoint
from tests.arena import outside_snake
from tests.arena.outside_snake import OutsideSnake

IN_TIME = 5000
"""Milliseconds: a timeout that an immediate answer never reaches, however busy the machine."""


@asynccontextmanager
async def endpoint(snake: OutsideSnake, timeout: int = IN_TIME) -> AsyncIterator[Endpoint]:
    """Serve the snake until the block ends, as an endpoint for checks with two games at once."""
    async with outside_snake.running(snake) as url:
        yield Endpoint(url, timeout, games=2)


async def results(
    check: Callable[[Endpoint], Awaitable[list[CheckResult]]], snake: OutsideSnake, timeout: int = IN_TIME
) -> dict[str, CheckResult]:
    """The results of a check of the snake, by name."""
    async with endpoint(snake, timeout) as checked:
        return {result.name: result for result in await check(checked)}


def passed(results: dict[str, CheckResult]) -> bool:
    """Whether every result is a pass."""
    return {result.outcome for result in results.values()} == {"pass"}
