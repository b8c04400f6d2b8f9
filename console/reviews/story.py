"""The story of a lost game in a sentence: what the losing move led into, and what another move kept."""

from battlesnake_search.board import MOST_SIDE, MOVES
from battlesnake_search.common.cli import counted
from console.store.assembly import Rules
from console.store.values import Cell, Death, Game, Placed, Turn

_MOST_TURNS = 100
"""The most turns after the losing one whose room is counted: on a board of 64x64 cells a turn takes 10 ms."""

HUNGER = ("out-of-health", "hazard")
"""The causes of death without health."""


def story(game: Game, snake: int, death: Death | None, lost_at: int, other: str) -> str | None:
    """Return the story of a snake that lost on turn `lost_at`, where the move `other` held.

    Return None if the boards explain nothing.
    """
    rules = Rules.of(game)
    late = [(turn, mine) for turn in game.turns if turn.turn >= lost_at and (mine := turn.snakes[snake])]
    if not late or late[0][0].turn != lost_at:
        return None
    board, mine = late[0]
    if death is not None and death.cause in HUNGER:
        return f"out of health, with {mine.health} points left on turn {lost_at}"
    if death is not None and death.cause == "head-collision" and death.by is not None:
        return _head_to_head(game, board, mine, death.by)
    if max(game.width, game.height) > MOST_SIDE:
        # A stranger may name any size, and the room on a board without end can't be counted.
        return None
    for turn, placed in late[1 : 1 + _MOST_TURNS]:
        room, parts = max(_room(rules, turn, placed, move) for move in MOVES), len(placed.body)
        if room < parts:
            kept = _room(rules, board, mine, other)
            more = f"; {other} on turn {lost_at} kept {kept}" if kept > room else ""
            return f"trapped from turn {turn.turn} on: {counted(room, 'cell')} for {parts} parts{more}"
    return None


def _head_to_head(game: Game, board: Turn, mine: Placed, by: int) -> str:
    about, theirs = game.snakes[by], board.snakes[by]
    told = f"beaten in a head-to-head by {about.name or about.id}"
    if theirs is None:
        return told
    return f"{told}, with {len(mine.body)} parts against {len(theirs.body)} on turn {board.turn}"


def _room(rules: Rules, board: Turn, mine: Placed, move: str) -> int:
    """Return the number of free cells that a snake can reach after a move. Tails count as free."""
    held = {cell for placed in board.snakes if placed for cell in placed.body[:-1]}
    reached, edge = set[Cell](), [rules.step(mine.body[0], move)]
    while edge:
        cell = edge.pop()
        is_on_board = 0 <= cell[0] < rules.width and 0 <= cell[1] < rules.height
        if is_on_board and cell not in held and cell not in reached:
            reached.add(cell)
            edge += (rules.step(cell, onward) for onward in MOVES)
    return len(reached)
