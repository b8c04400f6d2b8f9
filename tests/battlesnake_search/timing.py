"""Deadlines for tests."""

import asyncio

from battlesnake_search.plan import Deadlines


def deadlines_in(search: float, answer: float) -> Deadlines:
    """Return deadlines that many seconds from now."""
    now = asyncio.get_running_loop().time()
    return Deadlines(now + search, now + answer)
