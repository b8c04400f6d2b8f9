"""The recorder of games: requests hand it what they have decoded, and everything else happens after them."""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

import msgspec
import structlog

from battlesnake_search.board import Turn
from gateway.play.player import Answer
from gateway.replay.assembly import result_of
from gateway.routes.config import Choice
from gateway.store import observation
from gateway.store.feed import ALL, Feed
from gateway.store.memory import KeptGame, Memory
from gateway.store.records import Decided, Header, Record, Row, game_row, record_row
from gateway.store.writer import RowCounters

log = structlog.get_logger(__name__)

_PAUSE = 0.003
"""Seconds between a request and its record, in which the search or the answer gets on its way."""

_MAX_NOTES = 10_000
"""Requests that wait to be recorded; further ones are lost."""

_LONGEST_PAUSE = 600.0
"""Seconds without a request after which a game counts as over."""

_WATCH = 30.0
"""Seconds between two looks for such games."""


class Games:
    """Receives what happens in games, without waiting for anything. This one discards it."""

    def start(self, turn: Turn, choice: Choice) -> None:
        """Take the start of a game."""

    def asked(self, turn: Turn, choice: Choice) -> None:
        """Take a position for which a move is wanted."""

    def answered(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Take an answered move."""

    def end(self, turn: Turn, choice: Choice) -> None:
        """Take the end of a game."""


@dataclass(frozen=True, slots=True)
class _Note:
    """A request; `answer` is that of an answered move."""

    turn: Turn
    choice: Choice
    answer: Answer | None = None
    is_end: bool = False


class GameRecorder(Games):
    """Keeps games in memory, publishes their events and passes their records on.

    An asynchronous context manager. `write` receives each record for the database.
    """

    def __init__(
        self, memory: Memory, feed: Feed, counters: RowCounters, write: Callable[[Row], None]
    ) -> None:
        self._memory = memory
        self._feed = feed
        self._counters = counters
        self._write = write
        self._notes: deque[_Note] = deque()
        self._noted = asyncio.Event()
        self._now = asyncio.get_running_loop().time

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._record_all()), asyncio.create_task(self._close_abandoned())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        while self._notes:
            self._record(self._notes.popleft())

    def start(self, turn: Turn, choice: Choice) -> None:
        """Take the start of a game."""
        self._note(_Note(turn, choice))

    def asked(self, turn: Turn, choice: Choice) -> None:
        """Take a position for which a move is wanted."""
        self._note(_Note(turn, choice))

    def answered(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Take an answered move."""
        self._note(_Note(turn, choice, answer))

    def end(self, turn: Turn, choice: Choice) -> None:
        """Take the end of a game."""
        self._note(_Note(turn, choice, is_end=True))

    def _note(self, note: _Note) -> None:
        if len(self._notes) >= _MAX_NOTES:
            self._counters.count_records("lost", 1)
            return
        self._notes.append(note)
        self._noted.set()

    async def _record_all(self) -> None:
        while True:
            await self._noted.wait()
            await asyncio.sleep(_PAUSE)
            self._noted.clear()
            while self._notes:
                self._record(self._notes.popleft())
                # Requests that have arrived meanwhile come first.
                await asyncio.sleep(0)

    def _record(self, note: _Note) -> None:
        try:
            game = self._game_of(note)
            game.touched = self._now()
            if note.answer is not None:
                self._record_decision(game, observation.decision_of(note.turn, note.choice, note.answer))
            elif note.is_end:
                self._end(game, note.turn)
            else:
                self._record_position(game, note.turn)
        except Exception:
            # Whatever is wrong with one record, the next one may be right.
            self._counters.count_records("lost", 1)
            log.exception("game not recorded", game_id=note.turn.game.id, turn=note.turn.turn)

    def _game_of(self, note: _Note) -> KeptGame:
        """Return the note's game, with the note's snake as one of ours; begin it if it is not going on."""
        game = self._memory.get(observation.text(note.turn.game.id))
        if game is None:
            game = self._memory.create(observation.header_of(note.turn))
            self._feed.publish(ALL, "start", {"game": game.header.id})
        # In a new game no snake is ours yet.
        is_changed = _own(game.header, note.turn, note.choice) or not game.is_live
        if is_changed and not note.is_end:
            game.header.ended_at = game.header.winner = None
            self._write(game_row(game.header))
        return game

    def _record_position(self, game: KeptGame, turn: Turn) -> None:
        following = game.follow()
        if following.at(turn.turn) is not None:
            # Two snakes of ours play in one game.
            return
        position = observation.position_of(turn)
        self._keep(game, position)
        shown = following.add_position(position)
        game.header.turns = max(game.header.turns, turn.turn)
        self._publish_late(game, turn.turn - 1)
        following.forget_before(turn.turn - 1)
        self._feed.publish(game.header.id, "turn", shown)
        if self._feed.is_read(ALL):
            self._feed.publish(ALL, "turn", {"game": game.header.id, **msgspec.structs.asdict(shown)})

    def _record_decision(self, game: KeptGame, decided: Decided) -> None:
        self._keep(game, decided)
        number, decision = game.follow().add_decision(decided)
        self._publish_decision(game, decided.turn, number, decision)

    def _publish_late(self, game: KeptGame, number: int) -> None:
        """Publish again the decisions of a turn of which the next turn has shown that they were late."""
        turn = game.follow().at(number)
        for snake, decision in enumerate(turn.decisions if turn else ()):
            if decision and decision.late:
                self._publish_decision(game, number, snake, decision)

    def _publish_decision(self, game: KeptGame, turn: int, snake: int, decision: object) -> None:
        event = {"turn": turn, "snake": snake, "decision": decision}
        self._feed.publish(game.header.id, "decision", event)

    def _keep(self, game: KeptGame, record: Record) -> None:
        row = record_row(game.header.id, record)
        self._memory.add(game, row.record)
        self._write(row)

    def _end(self, game: KeptGame, turn: Turn) -> None:
        header = game.header
        if not game.is_live:
            # Another snake of ours has brought the news.
            self._write(game_row(header))
            return
        self._record_position(game, observation.last_turn(turn))
        left = [observation.text(snake.id) for snake in turn.board.snakes]
        header.winner = left[0] if len(left) == 1 and len(header.snakes) > 1 else None
        header.ended_at = datetime.now(UTC)
        self._close(game)

    def _close(self, game: KeptGame) -> None:
        self._memory.close(game)
        self._write(game_row(game.header))
        self._feed.publish(game.header.id, "end", {"result": result_of(game.header)})
        self._feed.publish(ALL, "end", {"game": game.header.id})

    async def _close_abandoned(self) -> None:
        """Close the games whose engine has not sent anything for a long time."""
        while True:
            await asyncio.sleep(_WATCH)
            for game in self._memory.live():
                if self._now() - game.touched > _LONGEST_PAUSE:
                    self._close(game)


def _own(header: Header, turn: Turn, choice: Choice) -> bool:
    """Mark the turn's snake as ours. Return whether it was not."""
    you = observation.text(turn.you.id)
    for number, snake in enumerate(header.snakes):
        if snake.id == you:
            header.snakes[number] = observation.own(snake, choice)
            return not snake.ours
    header.snakes.append(observation.own(observation.snake_of(turn.you), choice))
    return True
