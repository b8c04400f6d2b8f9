"""Why a snake died, as far as two boards show it.

An engine tells the gateway who is left, and neither how the others died nor where an opponent went. So every
move that the snake could have made is tried, and a cause counts only if no other one is possible.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from battlesnake_search.board import MOVES, Settings
from gateway.replay.values import Cell, Death, Placed, Turn

_Fate = tuple[str, int | None]
"""A cause and, if a snake is to blame, its number."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What of a game decides whether a snake survives."""

    width: int
    height: int
    wrapped: bool
    settings: Settings


def death(rules: Rules, before: Turn, after: Turn, snake: int) -> Death:
    """Return the death of a snake that lived on the board before and not on the one after it."""
    if after.turn != before.turn + 1:
        return Death(snake)
    decision = before.decisions[snake]
    moves = [decision.move] if decision and not decision.late else list(MOVES)
    placed = _living(before, snake)
    cells = [_step(rules, placed.body[0], move) for move in moves if placed.body]
    # Nobody turns back into its own neck, unless that is the only explanation.
    plausible = [cell for cell in cells if cell not in placed.body[1:2]]
    fates = {fate for cell in plausible for fate in _fates(rules, before, after, snake, cell)}
    fates = fates or {fate for cell in cells for fate in _fates(rules, before, after, snake, cell)}
    causes, culprits = {cause for cause, _ in fates}, {by for _, by in fates}
    if len(causes) != 1:
        return Death(snake)
    return Death(snake, causes.pop(), culprits.pop() if len(culprits) == 1 else None)


def _fates(rules: Rules, before: Turn, after: Turn, snake: int, cell: Cell) -> Iterator[_Fate]:
    """Yield how the snake may have died by moving to a cell; nothing if it can't have gone there."""
    placed = _living(before, snake)
    # In the order of the engine.
    if (hunger := _hunger(rules, before, placed, cell)) is not None:
        yield hunger, None
    elif not (0 <= cell[0] < rules.width and 0 <= cell[1] < rules.height):
        yield "wall-collision", None
    elif cell in placed.body[:-1]:
        yield "snake-self-collision", snake
    else:
        yield from _collisions(rules, before, after, snake, cell)


def _hunger(rules: Rules, before: Turn, placed: Placed, cell: Cell) -> str | None:
    """Return the cause if the snake has no health left on a cell."""
    if cell in before.food:
        return None
    layers = before.hazards.count(cell)
    if layers and placed.health <= 1 + layers * rules.settings.hazard_damage_per_turn:
        return "hazard"
    return "out-of-health" if placed.health <= 1 else None


def _collisions(rules: Rules, before: Turn, after: Turn, snake: int, cell: Cell) -> Iterator[_Fate]:
    others = [(number, each) for number, each in enumerate(before.snakes) if each and number != snake]
    hit = [number for number, each in others if cell in each.body[:-1]]
    if hit:
        # The engine blames the longest one.
        yield "snake-collision", max(hit, key=lambda number: len(_living(before, number).body))
        return
    for number, other in others:
        if len(other.body) >= len(_living(before, snake).body) and _may_reach(
            rules, after, number, other, cell
        ):
            yield "head-collision", number


def _may_reach(rules: Rules, after: Turn, number: int, before: Placed, cell: Cell) -> bool:
    """Return whether another snake's head went to a cell, or may have gone there if it died as well."""
    survivor = after.snakes[number]
    if survivor is not None:
        return survivor.body[:1] == [cell]
    return any(_step(rules, before.body[0], move) == cell for move in MOVES)


def _step(rules: Rules, cell: Cell, move: str) -> Cell:
    x, y = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
    return (x % rules.width, y % rules.height) if rules.wrapped else (x, y)


def _living(turn: Turn, snake: int) -> Placed:
    placed = turn.snakes[snake]
    assert placed is not None
    return placed
