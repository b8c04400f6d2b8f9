"""Battlesnake positions for tests, from a short notation and from the recorded turns."""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from searcher.textbook.battlesnake import Board, Point, Rules, Snake

FIXTURE = Path(__file__).parents[2] / "fixtures" / "transitions.jsonl.gz"


def snake(name: str, cells: str, health: int = 100) -> Snake:
    """Return a snake from its cells, head first: snake("a", "33 32 31") has its head at x 3, y 3."""
    return Snake(name, tuple((int(cell[0]), int(cell[1])) for cell in cells.split()), health)


def board(*snakes: Snake, ruleset: str = "standard", size: int = 7, **rest: Any) -> Board:
    """Return a square board; `rest` sets food, hazards and turn."""
    return Board(size, size, snakes, rules=Rules(ruleset), **rest)


def point(body: dict[str, int]) -> Point:
    """Return a recorded cell."""
    return body["x"], body["y"]


def recorded_board(record: dict[str, Any]) -> Board:
    """Return the position before a recorded turn."""
    before = record["before"]
    return Board(
        before["width"],
        before["height"],
        tuple(
            Snake(each["id"], tuple(map(point, each["body"])), each["health"]) for each in before["snakes"]
        ),
        tuple(map(point, before["food"])),
        tuple(map(point, before["hazards"])),
        before["turn"],
        Rules(record["ruleset"], record["settings"]["hazardDamagePerTurn"]),
    )


@cache
def recorded_turns() -> tuple[dict[str, Any], ...]:
    """Return all recorded turns of the official rules."""
    return tuple(_read_turns())


def _read_turns() -> Iterator[dict[str, Any]]:
    with gzip.open(FIXTURE, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
