"""Concurrent games against a gateway, played as by engines that request move after move without a pause."""

import asyncio
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Any

import aiohttp
import msgspec

from battlesnake_search.board import Board, Game, Snake, Turn
from searcher.positions.bench import POSITIONS
from tests.support.admin import HEADERS

KINDS = {
    "duel": ("duel-a", "duel-b", "duel-c", "duel-d"),
    "four": ("four-a", "four-b", "four-c", "four-royale"),
}
"""Mid-game positions of the bench on 11x11 by number of snakes; every game requests all of them in turn."""

TIMEOUT = 500
"""Milliseconds for a move, the usual timeout."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move as a game recorded it. The last two fields come from the gateway's log."""

    game: str
    turn: int
    kind: str
    milliseconds: float
    source: str = ""
    depth: int = 0


async def play(url: str, at_once: int, seconds: float, name: str, console: str | None = None) -> list[Move]:
    """Play concurrent games for some seconds; return all moves. `name` is the prefix of their game ids.

    A console watches them if `console` has its address.
    """
    end = monotonic() + seconds
    async with aiohttp.ClientSession(url, connector=aiohttp.TCPConnector(limit=0)) as client:
        watching = asyncio.create_task(_watch(client, console)) if console else None
        games = (
            play_one(client, f"{name}-{first}", first, lambda: monotonic() < end) for first in range(at_once)
        )
        played = await asyncio.gather(*games)
        if watching:
            watching.cancel()
    return [move for game in played for move in game]


async def play_one(
    client: aiohttp.ClientSession, game: str, first: int, goes_on: Callable[[], bool]
) -> list[Move]:
    """Play a game for as long as it goes on, from a position on. A move without an answer took for ever."""
    turns = list(_turns())
    moves: list[Move] = []
    latency = 0
    await _post(client, "/start", request(turns[first % len(turns)][1], game, 0, 0))
    while goes_on():
        number, begun = len(moves), monotonic()
        kind, turn = turns[(first + number) % len(turns)]
        is_answered = await _post(client, "/move", request(turn, game, number, latency))
        milliseconds = (monotonic() - begun) * 1000 if is_answered else math.inf
        moves.append(Move(game, number, kind, milliseconds))
        # An engine reports no latency above its timeout.
        latency = round(min(milliseconds, TIMEOUT))
        if not is_answered:
            await asyncio.sleep(TIMEOUT / 1000)
    await _post(client, "/end", request(turns[0][1], game, len(moves), latency))
    return moves


def with_log(answered: Sequence[Move], log: Path) -> Iterator[Move]:
    """Yield each move together with the gateway's log of it."""
    lines = map(json.loads, log.read_text().splitlines())
    moves: dict[tuple[str, int], dict[str, Any]] = {
        (line["game_id"], line["turn"]): line for line in lines if line["event"] == "move"
    }
    for move in answered:
        line = moves.get((move.game, move.turn), {})
        yield replace(move, source=line.get("source", ""), depth=line.get("depth", 0))


def _turns() -> Iterator[tuple[str, Turn]]:
    """Yield every position with its kind, duels and four-snake games alternating."""
    recorded = {line["name"]: line for line in map(json.loads, POSITIONS.read_bytes().splitlines())}
    for names in zip(*KINDS.values(), strict=True):
        for kind, position in zip(KINDS, names, strict=True):
            yield kind, _turn(recorded[position])


def turns_of(kind: str, timeout: int) -> list[Turn]:
    """Return the positions of a kind with another timeout in milliseconds."""
    changed = msgspec.structs.replace
    return [
        changed(turn, game=changed(turn.game, timeout=timeout)) for each, turn in _turns() if each == kind
    ]


def _turn(recorded: dict[str, Any]) -> Turn:
    board = msgspec.convert(recorded["board"], Board)
    you = next(snake for snake in board.snakes if snake.id == recorded["you"]["id"])
    game = msgspec.convert(recorded["game"] | {"id": "", "timeout": TIMEOUT}, Game)
    return Turn(game=game, board=board, you=you)


async def _watch(client: aiohttp.ClientSession, console: str) -> None:
    """Read the events of all games, as the console's page of games does."""
    forever = aiohttp.ClientTimeout()
    async with client.get(f"http://{console}/api/events", headers=HEADERS, timeout=forever) as events:
        events.raise_for_status()
        async for _ in events.content.iter_any():
            pass


async def _post(client: aiohttp.ClientSession, path: str, turn: Turn) -> bool:
    """Return whether a request has an answer without an error."""
    body, headers = msgspec.json.encode(turn), {"Content-Type": "application/json"}
    try:
        async with client.post(path, data=body, headers=headers) as answer:
            await answer.read()
            return answer.ok
    except (aiohttp.ClientError, TimeoutError):
        return False


def request(turn: Turn, game: str, number: int, latency: int) -> Turn:
    """Return the position as a request of this game, with the latency that the engine measured."""
    changed = msgspec.structs.replace

    def timed(snake: Snake) -> Snake:
        return changed(snake, latency=str(latency)) if snake.id == turn.you.id else snake

    board = turn.with_board(snakes=[timed(snake) for snake in turn.board.snakes])
    return changed(board, game=changed(turn.game, id=game), turn=number)
