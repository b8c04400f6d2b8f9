"""The games in progress: their beginnings, ends and removals, and the probes that are no games."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.record.events import Abandoned, BrokenOff, course_id
from battlesnake_search.searchable import searchable
from gateway import reflex
from gateway.game.events import Answered, Ended, Event, Mended, Probed, Started
from gateway.game.game import Game
from gateway.game.outcome import outcome_of, unfinished
from gateway.play.player import Answer
from gateway.play.shadows import Comparison, SeenTurn
from gateway.routes.draw import Choice

MOST_BYTES = 6_000_000
"""The most bytes of all games, estimated by their newest turns: about 300 games of four snakes.

Beyond it, ended games go first, then games with the fewest moves.
"""

_LEFT = 15 / 16
"""The share of MOST_BYTES that a removal keeps, so that the next games remove none."""

_ENDED_BYTES = 16_384
"""The bytes counted for an ended game, more than it takes. It is kept to recognize a second /end."""

_MOST_COURSES = 4096
"""The largest number of games that are known to have begun again."""

_ABANDONED = 600.0
"""Seconds without a request after which a game counts as unfinished."""

_FORGOTTEN = 3600.0
"""Seconds without a request after which a game is removed. They are many, because the /end of a snake that
has died comes only after the game."""

_PLAYING = 30.0
"""Seconds after its last request in which a game counts as running."""

_SAME_COURSE = 60.0
"""Seconds after a game began again in which requests of our other snakes belong to the same new course."""

_Key = tuple[str, str]


@dataclass(slots=True)
class Asking:
    """A request for a move in a game. The block that handles it sets `answer`."""

    game: Game
    view: SeenTurn
    request: Turn
    """The turn as the engine sent it."""
    move: asyncio.Future[str]
    answer: Answer | None = None


@dataclass(slots=True)
class _Entry:
    game: Game
    last: Turn
    touched: float
    asked: Asking | None = None
    is_closed: bool = False
    """Whether its outcome was published."""
    size: int = 0
    """Its bytes in memory."""

    @property
    def rank(self) -> tuple[int, float]:
        """The removal order: ended games first.

        Then come games whose number of moves has the fewest binary digits, of equal ones the longest
        untouched.
        """
        counts = self.game.counts
        return (1 + counts.moves.bit_length() if self.game.ended is None else 0), self.touched


class Games:
    """The games in progress, one for each snake of ours in each game.

    `now` reads a monotonic clock in seconds, and `publish` receives the events.
    """

    def __init__(self, now: Callable[[], float], publish: Callable[[Event], None]) -> None:
        self._now = now
        self._publish = publish
        self._entries: dict[_Key, _Entry] = {}
        self._size = 0
        self._again: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """The time of each game's last repetition, and the number of repetitions."""

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, turn: Turn) -> Game | None:
        """Return the game of a turn's snake; None if it is unknown."""
        entry = self._entries.get(_key(turn))
        return entry.game if entry else None

    @property
    def playing(self) -> int:
        """The number of games with a request in the last half minute and without an end."""
        oldest = self._now() - _PLAYING
        return sum(entry.touched >= oldest and entry.game.ended is None for entry in self._entries.values())

    def start(self, turn: Turn, choice: Choice) -> None:
        """Record a /start."""
        entry = self._touched(turn)
        living = entry.game.see(turn)
        entry.game.counts.add_choice(choice)
        self._publish(Started(living, choice))

    def same(self, turn: Turn) -> asyncio.Future[str] | None:
        """Return the move for a recent request with the same turn; None without such a request.

        Engines repeat a request whose answer is late. After twice the timeout, a turn is searched again.
        """
        entry = self._entries.get(_key(turn))
        if entry is None or entry.asked is None or entry.asked.request != turn:
            return None
        if self._now() - entry.touched > 2 * turn.timeout / 1000:
            return None
        return asyncio.shield(entry.asked.move)

    @contextmanager
    def asking(self, turn: Turn, choice: Choice) -> Iterator[Asking]:
        """Record a /move and, at the end of the block, its answer.

        After a block without an answer, a second request for the same turn gets a reflex.
        """
        entry = self._touched(turn)
        game = entry.game
        late = game.was_late(turn)
        living = game.see(turn)
        if turn.turn > game.counts.last_turn:
            # The /end came too early, because the engine continues.
            game.ended, entry.is_closed = None, False
        view = SeenTurn(living, searchable(game.with_trails(living)), late)
        if view.position.mended:
            self.note_mends(turn, view.position.mended)
        asking = entry.asked = Asking(game, view, turn, asyncio.get_running_loop().create_future())
        try:
            yield asking
        finally:
            answer = asking.answer
            asking.move.set_result(answer.move if answer else reflex.choose(living))
        if answer is None:
            return
        if game.ended is None:
            game.add_move(living, choice, answer)
            self._weigh(entry)
        self._publish(Answered(living, choice, answer))

    def compare(self, comparison: Comparison) -> None:
        """Record a shadow's answer."""
        if game := self.get(comparison.turn):
            game.add_comparison(comparison)

    def note_mends(self, turn: Turn, kinds: frozenset[str]) -> None:
        """Record the mends of a body."""
        game = self.get(turn)
        new = kinds - game.mended if game else kinds
        if game:
            game.mended |= kinds
        self._publish(Mended(turn, kinds, new))

    def end(self, turn: Turn, choice: Choice) -> None:
        """Record an /end. A second one changes nothing."""
        entry = self._touched(turn)
        game = entry.game
        if game.ended is not None:
            return
        if _is_probe(game, turn):
            self._forget(entry)
            self._publish(Probed(game.id, turn, choice))
            return
        outcome, living = outcome_of(game, turn, choice)
        game.ended, entry.is_closed, entry.asked = turn.turn, True, None
        # What is left tells a second /end from a first one.
        game.forget_boards()
        entry.last = turn.with_board(snakes=[], food=[], hazards=[])
        self._weigh(entry)
        self._publish(Ended(living, choice, outcome))

    def drop_old(self) -> None:
        """Close the games without recent requests, and remove the finished games."""
        now = self._now()
        for entry in list(self._entries.values()):
            if now - entry.touched > _FORGOTTEN:
                self._forget(entry)
            elif now - entry.touched > _ABANDONED:
                self._close(entry)

    def close(self) -> None:
        """Publish the partial outcomes of the running games, because another gateway may see their ends."""
        for entry in self._entries.values():
            self._close(entry)

    def _touched(self, turn: Turn) -> _Entry:
        """Return the entry of a turn's snake; create it at the first request."""
        key, now = _key(turn), self._now()
        entry = self._entries.get(key)
        if entry is not None and _begins_again(entry.game, turn):
            self._break_off(entry)
            self._forget(entry)
            entry = None
        if entry is None:
            entry = self._entries[key] = _Entry(Game(turn), turn, now)
        entry.touched, entry.last = now, turn
        self._weigh(entry)
        if self._size > MOST_BYTES:
            self._make_room(entry)
        return entry

    def _make_room(self, newest: _Entry) -> None:
        """Remove the games of the lowest ranks, except the newest game."""
        for entry in sorted(self._entries.values(), key=lambda entry: entry.rank):
            if self._size <= _LEFT * MOST_BYTES:
                return
            if entry is not newest:
                self._forget(entry)
                self._close(entry)

    def _forget(self, entry: _Entry) -> None:
        del self._entries[_key(entry.last)]
        self._size -= entry.size

    def _weigh(self, entry: _Entry) -> None:
        """Update a game's size, unless the game was removed while its move was searched."""
        if self._entries.get(_key(entry.last)) is entry:
            # A running game also holds the previous turn.
            size = 2 * entry.last.size if entry.game.ended is None else _ENDED_BYTES
            self._size += size - entry.size
            entry.size = size

    def _break_off(self, entry: _Entry) -> None:
        """Keep the first course of a game that is played again."""
        game_id, now = entry.game.id, self._now()
        began, course = self._again.get(game_id, (float("-inf"), 0))
        if now - began > _SAME_COURSE:
            course += 1
            self._again[game_id] = now, course
            while len(self._again) > _MOST_COURSES:
                self._again.popitem(last=False)
        # All gateways that have seen the course derive the same id.
        new_id = course_id(game_id, course)
        former = msgspec.structs.replace(unfinished(entry.game, entry.last), game_id=new_id)
        self._publish(BrokenOff(game_id, new_id, former))

    def _close(self, entry: _Entry) -> None:
        """Publish the partial outcome of a game without an end."""
        if not entry.is_closed:
            entry.is_closed = True
            outcome = unfinished(entry.game, entry.last) if entry.game.counts.moves else None
            self._publish(Abandoned(entry.game.id, outcome))


def _key(turn: Turn) -> _Key:
    return turn.game.id, turn.you.id


def _is_probe(game: Game, end: Turn) -> bool:
    """Return whether an ended game was a check of the snake: one snake alone, at turn 0."""
    is_alone = len(end.board.snakes) <= 1 and not game.counts.opponents
    return end.turn == 0 and game.counts.last_turn <= 0 and is_alone


def _begins_again(game: Game, turn: Turn) -> bool:
    return turn.turn == 0 and game.counts.last_turn > 0
