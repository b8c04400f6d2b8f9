"""Setups of short matches, and the repeatable part of a match."""

from pathlib import Path
from typing import Any

import msgspec

from arena.games.entrants import parse_entrants
from arena.records import Block, MoveLimits, Rules, Setup

SMALL = Rules(
    ruleset="standard",
    map="standard",
    width=7,
    height=7,
    minimum_food=1,
    food_spawn_chance=15,
    hazard_damage=14,
    shrink_every=25,
    max_turns=200,
)
"""Rules of short games."""

FEW = MoveLimits(nodes=60)


def setup_of(*entrants: str, limits: MoveLimits = FEW, snakes: int = 0, **fields: Any) -> Setup:
    """A setup of a short match, by default with one snake for each entrant."""
    parsed = parse_entrants(entrants, limits)
    short = Setup(entrants=parsed, snakes=snakes or len(parsed), rules=SMALL, seed=1, blocks=2)
    return msgspec.structs.replace(short, **fields)


def timeless(record: object) -> Any:
    """A record as plain values, without measured times."""
    if isinstance(record, Block):
        record = msgspec.structs.replace(record, milliseconds=0)
    plain = msgspec.to_builtins(record)
    for game in plain.get("games", ()):
        for decisions, *_ in game["turns"]:
            for decision in decisions:
                if decision is not None:
                    decision[1] = 0
    return plain


def timeless_lines(path: Path) -> list[Any]:
    """A match's file, line by line, without measured times."""
    first, *lines = path.read_bytes().splitlines()
    return [msgspec.json.decode(first), *(timeless(msgspec.json.decode(line, type=Block)) for line in lines)]
