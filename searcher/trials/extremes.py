"""Positions at the limits of the rules: long snakes, full boards and new snakes, in every ruleset.

Recorded games have few of them, and an evaluator that fails there would fail in the middle of a game.
"""

from collections.abc import Iterator

from searcher.engine.position import MAX_HEALTH, Point, Position, Ruleset, Snake

_RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")

_SIZES = (7, 11)
"""The sides of the boards, in cells."""

_LENGTHS = (17, 26, 40, 60, 90)
"""Lengths of long snakes. A snake of 121 parts fills a board of 11x11."""

_HAZARD_DAMAGE = 14
_SHRINK_EVERY = 25
_START_LENGTH = 3


def extreme_positions() -> Iterator[Position]:
    """Yield the positions of at most 8 snakes on at most 11x11 cells. The first snake is to move."""
    for ruleset in map(_ruleset, _RULESETS):
        for size in _SIZES:
            path = _path(size)
            for lengths in _divisions(len(path), solo=ruleset.name == "solo"):
                yield _position(size, path, lengths, ruleset)
            yield _start(size, path, ruleset)


def _ruleset(name: str) -> Ruleset:
    return Ruleset(name, _HAZARD_DAMAGE, _SHRINK_EVERY if name == "royale" else 0)


def _divisions(cells: int, solo: bool) -> Iterator[tuple[int, ...]]:
    """Yield lengths of snakes that follow one another on a path of so many cells."""
    yield (cells,)
    yield from ((length,) for length in _LENGTHS if length < cells)
    if not solo:
        yield from ((length, length - 1) for length in _LENGTHS if 2 * length <= cells)
        yield from ((cells // count,) * count for count in (2, 4, 8))


def _path(size: int) -> list[Point]:
    """Return all cells of a board, each next to the one before it."""
    return [(x, y) for y in range(size) for x in (range(size) if y % 2 == 0 else reversed(range(size)))]


def _position(size: int, path: list[Point], lengths: tuple[int, ...], ruleset: Ruleset) -> Position:
    snakes, left = [], path
    for index, length in enumerate(lengths):
        body, left = left[:length], left[length:]
        snakes.append(Snake(f"s{index}", MAX_HEALTH - 30 * (index % 4), tuple(reversed(body))))
    food = () if ruleset.constrictor else tuple(left[1::7])
    return Position(size, size, tuple(snakes), food, _hazards(path, ruleset), 0, 300, ruleset)


def _start(size: int, path: list[Point], ruleset: Ruleset) -> Position:
    """Return a first turn: all parts of each snake are on one cell."""
    heads = [path[0]] if ruleset.name == "solo" else path[:: len(path) // 7][:8]
    snakes = tuple(
        Snake(f"s{index}", MAX_HEALTH, (head,) * _START_LENGTH) for index, head in enumerate(heads)
    )
    return Position(size, size, snakes, (), _hazards(path, ruleset), 0, 0, ruleset)


def _hazards(path: list[Point], ruleset: Ruleset) -> tuple[Point, ...]:
    """Return hazards for royale, some of them in several layers."""
    return (*path[::2], *path[::6], *path[::6]) if ruleset.name == "royale" else ()
