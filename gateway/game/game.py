"""One snake of one game: the living snakes, the sent answers, and the counts."""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

import msgspec

from battlesnake_search.board import MOVES, Point, Snake, Turn
from battlesnake_search.living import Seen, see, without_dead
from gateway.game.counts import GameCounts
from gateway.play.budget import Budget
from gateway.play.player import Answer
from gateway.play.shadows import Comparison
from gateway.routes.draw import Choice

_COMMAND_LINE = "cli"
"""The version of the official engine's command line. Its /end counts one turn too many."""

_SNAIL_MODE = "snail_mode"

_LONGEST_OPPONENT = 64
"""Characters of an opponent's name in an outcome. Outcomes are kept for longer than games."""

_SPENT = 20.0
"""Milliseconds. An engine that has played an answer reports a latency above 0 if the answer took longer."""


@dataclass(frozen=True, slots=True)
class _SentAnswer:
    """The answer for a turn, and its time in milliseconds."""

    turn: int
    move: str
    you: Snake
    spent: float


def opponents(turn: Turn) -> list[str]:
    """Return the names of the opponents on the board, cut off."""
    return [snake.name[:_LONGEST_OPPONENT] for snake in turn.board.snakes if snake.id != turn.you.id]


class Game:
    """One snake of one game, as far as this gateway has seen it.

    It begins with the first request. `part` names this view of the game; other gateways may have other views.
    """

    def __init__(self, turn: Turn) -> None:
        self.id = turn.game.id
        self.part = uuid.uuid4().hex[:16]
        self.began_at = datetime.now(UTC)
        self.budget = Budget(turn.timeout)
        self.counts = GameCounts(turn.turn, [])
        self.ended: int | None = None
        """The turn of the /end; None while the game is running."""
        self.mended: frozenset[str] = frozenset()
        """The kinds of mends in its bodies."""
        self._before: Seen | None = None
        """The board of the turn before the newest one."""
        self._now: Seen | None = None
        self._sent: _SentAnswer | None = None

    def see(self, turn: Turn, is_asked: bool = True) -> Turn:
        """Record a board; return the turn with its living snakes alone.

        With `is_asked`, the engine requests a move from our snake, so our snake lives.
        """
        if self._now is not None and turn.turn > self._now.turn:
            self._before = self._now
        if self._before is not None and turn.turn <= self._before.turn:
            self._before = None
        self._now = see(turn, self._before, is_asked)
        living = without_dead(turn, self._now)
        if not self.counts.moves and not self.counts.opponents:
            self.counts.opponents = opponents(living)
        return living

    def forget_boards(self) -> None:
        """Forget the boards seen. The next one is read by itself."""
        self._before = self._now = None

    def with_trails(self, turn: Turn) -> Turn:
        """Return a turn of snail mode with its next trails, because the platform's server does not send them.

        A cell that a tail has just left becomes a hazard with as many layers as its snake is long.
        """
        before = self._before
        if turn.game.map != _SNAIL_MODE or before is None or before.turn != turn.turn - 1:
            return turn
        taken = {part for snake in turn.board.snakes for part in snake.body} | set(turn.board.hazards)
        trails = [snake for snake in before.alive if snake.body[-1] not in taken]
        hazards = [*turn.board.hazards, *(snake.body[-1] for snake in trails for _ in snake.body)]
        return turn.with_board(hazards=hazards)

    def see_end(self, turn: Turn) -> tuple[Turn, Seen]:
        """Record the board of an /end; return the last turn with its living snakes, and the deaths."""
        last = turn
        if self._is_seen(turn) or (turn.game.ruleset.version == _COMMAND_LINE and turn.turn > 0):
            number = self._now.turn if self._now and self._is_seen(turn) else turn.turn - 1
            last = msgspec.structs.replace(turn, turn=number)
        living = self.see(last, is_asked=False)
        assert self._now is not None
        return living, self._now

    def _is_seen(self, turn: Turn) -> bool:
        """Return whether the board was seen with another turn number: some engines increase it at the end."""
        former = self._now.snakes if self._now else {}
        snakes = {snake.id: snake.body for snake in turn.board.snakes}
        return bool(snakes) and snakes == {name: snake.body for name, snake in former.items()}

    def was_late(self, turn: Turn) -> bool:
        """Return whether our answer of the previous turn came too late."""
        return _was_late(turn, self._sent, reports_latencies=bool(self.counts.latency.number))

    def add_move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Record an answered move. A turn counts once."""
        self._sent = _SentAnswer(turn.turn, answer.move, turn.own or turn.you, answer.elapsed * 1000)
        if turn.turn > self.counts.last_turn:
            self.counts.add_move(turn, choice, answer)

    def add_comparison(self, comparison: Comparison) -> None:
        """Count a shadow's answer during the game."""
        if self.ended is None:
            self.counts.add_comparison(comparison)


def _was_late(turn: Turn, sent: _SentAnswer | None, reports_latencies: bool) -> bool:
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
