"""The words of a review: the story of a lost game, and the whole review in sentences."""

from collections.abc import Iterator

from battlesnake_search.board import MOST_SIDE, MOVES
from battlesnake_search.common.cli import counted
from console.reviews.review import Review
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


def summary_of(review: Review) -> str:
    """Return a review in sentences, without the result."""
    words = []
    if review.died_late and review.died_at is not None:
        turn = review.died_at - 1
        words.append(f"The answer of turn {turn} came too late, so the engine chose the last move.")
    losing = next((turn for turn in review.turns if turn.turn == review.lost_at), None)
    if losing is not None and losing.other is not None:
        played, other = losing.played.move, losing.other.move
        words.append(f"Turn {losing.turn} lost the game: {played} was played, and {other} still held.")
    words += _proof(review)
    if review.story:
        words.append(f"The snake was {review.story}.")
    elif review.result == "lost" and review.cause is None:
        words.append("The recorded boards do not show its death.")
    if others := [turn for turn in review.blunders if turn != review.lost_at]:
        kind = "other blunder" if losing else "blunder"
        words.append(f"There {'is' if len(others) == 1 else 'are'} {counted(len(others), kind)}.")
    elif losing is None:
        words.append(f"None of {counted(len(review.turns), 'move')} was a blunder.")
    return " ".join(words)


def _proof(review: Review) -> Iterator[str]:
    """Yield the sentences about the turns after the losing turn: its move is the last one that mattered."""
    seen, proof = review.seen_at, f"a search at depth {review.seen_depth} proves the loss"
    if review.lost_at is not None:
        is_proven = seen == review.lost_at
        yield f"After it, no other move would have helped{f': {proof}' if is_proven else ''}."
    if seen is not None and seen != review.lost_at:
        only = "" if review.lost_at is None else "only "
        yield f"{proof.capitalize()} {only}after the move of turn {seen}."


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
