"""Games at once, as an engine plays them with a gateway: it asks again as soon as it has its answer."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

import aiohttp
import msgspec

from gateway.bodies import Board, Game, Snake, Turn
from searcher.bench_positions import POSITIONS

KINDS = {
    "duel": ("duel-a", "duel-b", "duel-c", "duel-d"),
    "four": ("four-a", "four-b", "four-c", "four-royale"),
}
"""By number of snakes, mid-game positions of the benchmark on 11x11; every game plays all of them in turn."""

TIMEOUT = 500
"""Milliseconds that these games give their snakes, as usual."""


@dataclass(frozen=True, slots=True)
class Move:
    """An answer that a game got, `ended` on the monotonic clock, and what the gateway's log says of it."""

    kind: str
    ended: float
    milliseconds: float
    source: str
    depth: int
    nodes: int


@dataclass(frozen=True, slots=True)
class _Asked:
    game: str
    turn: int
    kind: str
    ended: float
    milliseconds: float


async def play(url: str, at_once: int, seconds: float, name: str) -> list[_Asked]:
    """Play so many games at once for so long; gives all that was answered. `name` tells this run's games."""
    end = monotonic() + seconds
    turns = list(_turns())
    async with aiohttp.ClientSession(url, connector=aiohttp.TCPConnector(limit=0)) as client:
        games = (_play_one(client, turns, f"{name}-{number}", number, end) for number in range(at_once))
        played = await asyncio.gather(*games)
    return [asked for game in played for asked in game]


def with_log(asked: Sequence[_Asked], log: Path) -> Iterator[Move]:
    """The answers, with what the gateway logged of each."""
    lines = map(json.loads, log.read_text().splitlines())
    moves: dict[tuple[str, int], dict[str, Any]] = {
        (line["game_id"], line["turn"]): line for line in lines if line["event"] == "move"
    }
    for one in asked:
        line = moves[one.game, one.turn]
        yield Move(
            one.kind, one.ended, one.milliseconds, line["source"], line.get("depth", 0), line.get("nodes", 0)
        )


def _turns() -> Iterator[tuple[str, Turn]]:
    """Every position with its kind, duels and crowds by turns."""
    recorded = {line["name"]: line for line in map(json.loads, POSITIONS.read_bytes().splitlines())}
    for names in zip(*KINDS.values(), strict=True):
        for kind, position in zip(KINDS, names, strict=True):
            yield kind, _turn(recorded[position])


def _turn(recorded: dict[str, Any]) -> Turn:
    board = msgspec.convert(recorded["board"], Board)
    you = next(snake for snake in board.snakes if snake.id == recorded["you"]["id"])
    game = msgspec.convert(recorded["game"] | {"id": "", "timeout": TIMEOUT}, Game)
    return Turn(game=game, board=board, you=you)


async def _play_one(
    client: aiohttp.ClientSession, turns: Sequence[tuple[str, Turn]], game: str, first: int, end: float
) -> list[_Asked]:
    asked: list[_Asked] = []
    latency = 0
    while (begin := monotonic()) < end:
        number = len(asked)
        kind, turn = turns[(first + number) % len(turns)]
        await _post(client, "/move", _told(turn, game, number, latency))
        ended = monotonic()
        asked.append(_Asked(game, number, kind, ended, (ended - begin) * 1000))
        # An engine counts no further than its timeout.
        latency = min(round(asked[-1].milliseconds), TIMEOUT)
    await _post(client, "/end", _told(turns[0][1], game, len(asked), latency))
    return asked


async def _post(client: aiohttp.ClientSession, path: str, turn: Turn) -> None:
    body = msgspec.json.encode(turn)
    async with client.post(path, data=body, headers={"Content-Type": "application/json"}) as answer:
        answer.raise_for_status()
        await answer.read()


def _told(turn: Turn, game: str, number: int, latency: int) -> Turn:
    """The position as one of this game, with the latency that its engine has measured."""
    replace = msgspec.structs.replace

    def timed(snake: Snake) -> Snake:
        return replace(snake, latency=str(latency)) if snake.id == turn.you.id else snake

    board = replace(turn.board, snakes=[timed(snake) for snake in turn.board.snakes])
    return replace(turn, game=replace(turn.game, id=game), board=board, turn=number)
