"""Bodies of requests, as a stranger makes them."""

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from benchmarks.strangers.http import post
from benchmarks.strangers.plan import Plan

NEW = "@" * 16
"""A place of a body that gets a new name in each request."""

Body = dict[str, Any]


def body(game: str = NEW, turn: int = 0, timeout: int = 500, size: int = 11, **board: Any) -> Body:
    """Return the body of a small game with two snakes; `board` replaces fields of the board."""
    you, other = snake("you", 1), snake("other", 3)
    return {
        "game": {"id": game, "ruleset": {"name": "standard"}, "timeout": timeout},
        "turn": turn,
        "board": {"width": size, "height": size, "food": [], "hazards": [], "snakes": [you, other]} | board,
        "you": you,
    }


def snake(name: str, column: int) -> Body:
    """Return a snake of three cells."""
    cells = [{"x": column, "y": row} for row in (4, 3, 2)]
    return {"id": name, "name": name, "health": 90, "body": cells}


def encoded(value: Body) -> bytes:
    """Return a body in JSON without spaces."""
    return json.dumps(value, separators=(",", ":")).encode()


def filled(value: Body, size: int, point: Body) -> bytes:
    """Return a body in JSON that has about this many bytes, by hazards at a point."""
    missing = size - len(encoded(value))
    hazards = [point] * (missing // (len(encoded(point)) + 1))
    return encoded(value | {"board": value["board"] | {"hazards": hazards}})


def far_points(size: int, seed: int = 1) -> list[Body]:
    """Return points of about this many bytes in JSON, which no compression makes small."""
    rng = Random(seed)
    return [{"x": rng.randrange(2**31), "y": rng.randrange(2**31)} for _ in range(size // 32)]


def renewed(plan: Plan, request: bytes) -> Iterator[bytes]:
    """Yield a request for ever, with a new name at each place NEW of each."""
    parts = request.split(NEW.encode())
    while True:
        yield plan.name().encode().join(parts)


def moves_of_new_games(plan: Plan, timeout: int) -> Iterator[bytes]:
    """Yield moves, each of a new game."""
    return renewed(plan, post("/move", encoded(body(turn=3, timeout=timeout))))


def mutated(rng: Random, valid: bytes) -> bytes:
    """Return a message with one to four small changes."""
    changed = bytearray(valid)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed) + 1)
        length = rng.randint(1, 8)
        kind = rng.randrange(4)
        if kind == 0:
            changed[place : place + length] = rng.randbytes(length)
        elif kind == 1:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = changed[place : place + length]
        else:
            del changed[place:]
    return bytes(changed)


def nonsense(rng: Random, valid: list[bytes]) -> bytes:
    """Return random bytes, or a nearly valid message."""
    return rng.randbytes(rng.randint(0, 4096)) if rng.random() < 0.5 else mutated(rng, rng.choice(valid))
