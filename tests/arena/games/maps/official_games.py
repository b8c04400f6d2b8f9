"""Games that the official engine plays on its maps, and what its map changes in each turn."""

import asyncio
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from arena.records import Cell
from searcher.engine.position import Direction, Position, Snake
from tests.arena.outside_snake import Body, Fault, OutsideSnake, choose, running

Board = dict[str, Any]
"""A board as the engine posts it."""


async def run_engine(
    engine: Path, urls: Iterable[str], **options: object
) -> subprocess.CompletedProcess[str]:
    """The end of a game of the engine between the snakes at some URLs. Their names are a, b and so on."""
    players = []
    for name, url in zip("abcdefgh", urls, strict=False):
        players += [f"--name={name}", f"--url={url}"]
    # On a busy machine the default of 500 ms passes, and the engine plays another move.
    settings = [f"--{name}={value}" for name, value in ({"timeout": 20_000} | options).items()]
    command = [str(engine), "play", *players, *settings]
    return await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)


async def play(engine: Path, snake: OutsideSnake, snakes: int, **options: object) -> list[Board]:
    """The boards of a game of the engine with this number of copies of the snake, from the start on."""
    async with running(snake) as url:
        done = await run_engine(engine, [url] * snakes, **options)
    assert done.returncode == 0, done.stderr
    posted = {body["turn"]: body["board"] for path, body in snake.requests if path == "/move"}
    return [posted[turn] for turn in sorted(posted)]


def cells(points: Sequence[dict[str, int]]) -> list[Cell]:
    """Points of the engine as cells."""
    return [(point["x"], point["y"]) for point in points]


def mortal(turns: int, choose: Callable[[Body], str] = choose) -> OutsideSnake:
    """A snake that moves on in one direction after this number of turns, until it dies."""
    return OutsideSnake(lambda turn: Fault.WRONG_WORD if turn >= turns else None, choose=choose)


def hungry(body: Body) -> str:
    """The move to the food, whatever is in the way, along the row first; up if there is no food."""
    head, food = body["you"]["head"], body["board"]["food"]
    if not food:
        return "up"
    right, up = food[0]["x"] - head["x"], food[0]["y"] - head["y"]
    if right:
        return "right" if right > 0 else "left"
    return "up" if up > 0 else "down"


def positions(boards: Sequence[Board]) -> list[Position]:
    """The boards as positions."""
    return [
        Position(
            board["width"],
            board["height"],
            tuple(
                Snake(snake["id"], snake["health"], tuple(cells(snake["body"]))) for snake in board["snakes"]
            ),
            tuple(cells(board["food"])),
            tuple(cells(board["hazards"])),
            turn=turn,
        )
        for turn, board in enumerate(boards)
    ]


def updates(game: Sequence[Position]) -> Iterator[tuple[Position, Position]]:
    """Each position after the snakes have moved, and the one after the map has changed it."""
    for before, after in pairwise(game):
        left = tuple(cell for cell in after.food if cell in before.food)
        yield replace(after, food=left, hazards=before.hazards), after


def moves(snake: OutsideSnake) -> list[dict[str, Direction]]:
    """The moves of a game that the copies of a snake played, by turn and by the snake's id.

    In place of a faulty answer the engine repeats the last valid move, and at first goes up.
    """
    turns: dict[int, dict[str, Direction]] = {}
    last: dict[str, Direction] = {}
    bodies = [body for path, body in snake.requests if path == "/move"]
    for body in sorted(bodies, key=lambda body: int(body["turn"])):
        id_ = body["you"]["id"]
        if snake.faults(body["turn"]) is None:
            last[id_] = Direction[snake.choose(body).upper()]
        turns.setdefault(body["turn"], {})[id_] = last.get(id_, Direction.UP)
    return [turns[turn] for turn in sorted(turns)]
