"""All checks, in the order of the report."""

from collections.abc import Awaitable, Callable

from arena.compliance.exchanges import CheckResult, Endpoint, Report
from arena.compliance.index import check_index, check_methods
from arena.compliance.platform import check_platform
from arena.compliance.recorded import (
    check_endings,
    check_fresh_connections,
    check_parallel_games,
    check_recorded,
)
from arena.compliance.tolerance import check_tolerance

Check = Callable[[Endpoint], Awaitable[list[CheckResult]]]

CHECKS: dict[str, Check] = {
    "the index": check_index,
    "wrong methods": check_methods,
    "recorded games": check_recorded,
    "deaths": check_endings,
    "the platform's requests": check_platform,
    "unusual bodies": check_tolerance,
    "fresh connections": check_fresh_connections,
    "parallel games": check_parallel_games,
}
"""The checks by their subject. The index comes first, since it shows whether there is a snake."""


async def examine(endpoint: Endpoint, show: Callable[[str], None]) -> Report:
    """Run every check; `show` receives the subject of each. Raises UnreachableError if there is no snake."""
    results: list[CheckResult] = []
    for name, check in CHECKS.items():
        show(name)
        results += await check(endpoint)
    return Report(endpoint.url, endpoint.timeout, tuple(results))
