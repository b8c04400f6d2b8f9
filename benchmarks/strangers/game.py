"""A game against the gateway, as an engine plays it: one move after another."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain
from time import monotonic

import aiohttp
import msgspec
import numpy as np

from battlesnake_search.board import Turn
from benchmarks.games import KINDS, TIMEOUT, request, turns_of

GAME = "the-game-beside-strangers"

_PATIENCE = 10.0
"""Seconds until a move counts as unanswered."""


@dataclass
class Moves:
    """The milliseconds of each move, as the game measured them."""

    milliseconds: list[float] = field(default_factory=list)
    failed: int = 0
    """The moves without an answer, or with an error. They are late, too."""

    @property
    def late(self) -> int:
        """The moves that an engine would not have played."""
        return sum(each >= TIMEOUT for each in self.milliseconds) + self.failed

    @property
    def number(self) -> int:
        """The number of all moves."""
        return len(self.milliseconds) + self.failed

    @property
    def p99(self) -> float:
        """The 99th percentile of the milliseconds."""
        return float(np.percentile(self.milliseconds or [0.0], 99))

    @property
    def slowest(self) -> float:
        """The milliseconds of the slowest move."""
        return max(self.milliseconds, default=0.0)


async def play(port: int, course: int, goes_on: Callable[[], bool]) -> Moves:
    """Play a game for as long as it goes on; return its moves. `course` makes its id new."""
    # Both kinds, so that the searcher has loaded its code for both before a stranger needs it.
    turns = [*chain.from_iterable(zip(*(turns_of(kind, TIMEOUT) for kind in KINDS), strict=True))]
    moves, game = Moves(), f"{GAME}-{course}"
    timeout = aiohttp.ClientTimeout(total=_PATIENCE)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", timeout=timeout) as client:
        await _post(client, "/start", request(turns[0], game, 0, 0))
        number, latency = 0, 0
        while goes_on():
            turn = request(turns[number % len(turns)], game, number, latency)
            number += 1
            milliseconds = await _post(client, "/move", turn)
            if milliseconds is None:
                moves.failed += 1
                await asyncio.sleep(TIMEOUT / 1000)
                continue
            moves.milliseconds.append(milliseconds)
            # An engine reports no latency above its timeout.
            latency = min(round(milliseconds), TIMEOUT)
        await _post(client, "/end", request(turns[0], game, number, latency))
    return moves


async def _post(client: aiohttp.ClientSession, path: str, turn: Turn) -> float | None:
    """Return the milliseconds until the answer; None without an answer, or for an error."""
    begun = monotonic()
    try:
        async with client.post(path, data=msgspec.json.encode(turn)) as answer:
            answer.raise_for_status()
            await answer.read()
    except (aiohttp.ClientError, TimeoutError):
        return None
    return (monotonic() - begun) * 1000
