"""The official map "hz_spiral": hazards grow clockwise in a spiral from a random cell near the middle."""

from itertools import chain, islice

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import grow, rings, rng_for
from arena.records import Cell, Rules
from searcher.engine.position import Position

_EVERY = 3
"""Turns between two steps along the spiral. Steps off the board add nothing."""


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, and the next cell of the spiral."""
    number, rest = divmod(position.turn, _EVERY)
    if rest or not number:
        return grow(rules, position, seed, ())
    start = _start(rules, seed)
    return grow(rules, position, seed, islice(chain([start], *rings(start, rules)), number - 1, number))


def _start(rules: Rules, seed: int) -> Cell:
    """Return the first cell, in the middle 40 per cent of both sides."""
    rng = rng_for(seed, "hazards")
    margins = rules.width * 3 // 10, rules.height * 3 // 10
    return (
        rng.randint(margins[0], rules.width - 1 - margins[0]),
        rng.randint(margins[1], rules.height - 1 - margins[1]),
    )
