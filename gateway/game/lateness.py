"""The detection of a late answer, by the position of the head and the latency that the engine reports."""

from dataclasses import dataclass

from battlesnake_search.board import MOVES, Point, Snake, Turn

_SPENT = 20.0
"""Milliseconds. An engine that has played an answer reports a latency above 0 if the answer took longer."""


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """The answer for a turn, and its time in milliseconds."""

    turn: int
    move: str
    you: Snake
    spent: float


def was_late(turn: Turn, sent: SentAnswer | None, reports_latencies: bool) -> bool:
    """Return whether `sent`, our answer of the previous turn, came too late.

    The position of the head shows it. If our answer was the engine's default move, straight on, only the
    latency shows it. `reports_latencies`: whether the engine has reported a latency in this game.
    """
    you = turn.own or turn.you
    reported = turn.latency if turn.own else you.milliseconds
    has_moved_once = sent is not None and you.body[1:2] == sent.you.body[:1]
    if sent is None or not has_moved_once:
        return reported >= turn.timeout
    if you.body[0] != _step(turn, sent.you.body[0], sent.move):
        return True
    if not _is_straight(turn, sent.you.body, sent.move):
        return False
    # An engine that reports latencies gives 0 for a late answer. Off the board, a dead snake has no latency.
    is_missing = turn.own is not None and not reported and reports_latencies and sent.spent > _SPENT
    return is_missing or reported >= turn.timeout


def _step(turn: Turn, cell: Point, move: str) -> Point:
    x, y = cell.x + MOVES[move][0], cell.y + MOVES[move][1]
    if turn.game.ruleset.wrapped:
        return Point(x % turn.board.width, y % turn.board.height)
    return Point(x, y)


def _is_straight(turn: Turn, body: list[Point], move: str) -> bool:
    """Return whether a move is what engines play without an answer: straight on, and up at the start."""
    neck = next((part for part in body if part != body[0]), None)
    if neck is None:
        return move == "up"
    return _step(turn, neck, move) == body[0]
