"""The recorder: what the events of games change in the database and on the pages."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from time import time

import msgspec

from battlesnake_search import translate
from battlesnake_search.board import MOST_SNAKES, Point, Snake, Turn
from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.events import (
    Abandoned,
    Answered,
    BrokenOff,
    Ended,
    Event,
    PlayedArm,
    PlayedMove,
    Probed,
    Started,
    course_id,
)
from battlesnake_search.translate import Details, MoveResult
from console.store.assembly import result_of
from console.store.feed import ALL
from console.store.live import LiveGame, LiveGames
from console.store.records import (
    RECORDED,
    Decided,
    Fallen,
    Header,
    Item,
    LivingSnake,
    Position,
    Record,
    Removed,
    Renamed,
    RootMove,
    game_row,
    record_row,
)
from console.store.values import Cell, GameSnake
from console.store.values import Turn as ShownTurn

log = get_logger(__name__)

_LONGEST_PAUSE = 300.0
"""Seconds without a request of any snake after which an abandoned game is closed."""

_LONGEST_SILENCE = 3600.0
"""Seconds after which a game is closed of which nothing more is heard. Its gateway may be gone."""

_MOST_NEW_IDS = 256
"""The games that were played again of which a repeated event is known before they are stored."""

_FIRST_TURNS = 2
"""The turns, from the first one seen, in which a game may show new snakes. Later ones are of a stranger."""


@dataclass(slots=True)
class Changes:
    """The effect of an event: items for the database, and news for readers once they are stored."""

    items: list[Item] = field(default_factory=list)
    news: list[tuple[str, str, object]] = field(default_factory=list)
    """Each with its topic, the name of its event, and its data."""

    def tell(self, topic: str, name: str, data: object) -> None:
        """Add news for the readers of a topic."""
        self.news.append((topic, name, data))


class Recorder:
    """Turns events of games into changes. The events of all gateways pass through one recorder.

    Without `games`, only outcomes are recorded. `stored` returns the header of a game in the database, after
    all that waits for this game is written; None without one.
    """

    def __init__(self, games: LiveGames | None, stored: Callable[[str], Awaitable[Header | None]]) -> None:
        self._records_games = games is not None
        # Empty games are false.
        self._games = LiveGames() if games is None else games
        self._stored = stored
        self._turn = asyncio.Lock()
        self._new_ids: deque[str] = deque(maxlen=_MOST_NEW_IDS)
        """The newest ids of games that were played again."""

    async def take(self, event: Event) -> Changes:
        """Return the changes by an event. Raises the errors of the database."""
        changes = Changes()
        async with self._turn:
            await self._take(event, changes)
        return changes

    async def close_silent(self) -> Changes:
        """Close the games without an event for a long time."""
        changes = Changes()
        async with self._turn:
            for game in list(self._games):
                if time() - game.touched > _LONGEST_SILENCE:
                    self._close(game, changes)
        return changes

    async def _take(self, event: Event, changes: Changes) -> None:
        if isinstance(event, Started | Answered | Ended) and await self._is_of_former_course(event):
            # It is repeated: of a course whose game has another id now.
            return
        if self._records_games or isinstance(event, BrokenOff):
            await self._take_game(event, changes)
        if isinstance(event, Ended | BrokenOff | Abandoned) and event.outcome is not None:
            changes.items.append(event.outcome)

    async def _is_of_former_course(self, event: Started | Answered | Ended) -> bool:
        """Return whether the event was told before, and the game was played again since then."""
        game_id = event.turn.game.id
        game = self._games.get(game_id)
        if not self._records_games or (game and game.header.seen_at <= event.time):
            return False
        for course in count(1):
            former = await self._stored(course_id(game_id, course))
            if former is None or (former.broken_off_at and event.time <= former.broken_off_at):
                return former is not None
        return False

    async def _take_game(self, event: Event, changes: Changes) -> None:
        match event:
            case Started() | Answered() | Ended():
                await self._record(event, changes)
            case Probed():
                await self._remove(event.game_id, changes)
            case BrokenOff():
                await self._break_off(event, changes)
            case Abandoned():
                self._close_abandoned(event, changes)

    async def _remove(self, game_id: str, changes: Changes) -> None:
        """Remove a game that was only a check of the snake, unless it has a later turn."""
        stored, game = await self._stored(game_id), self._games.get(game_id)
        if game and game.header.turns:
            return
        if game:
            self._games.close(game_id)
            changes.tell(game_id, "end", {"result": result_of(game.header)})
            changes.tell(ALL, "end", {"game": game_id})
        if stored:
            # All earlier rows of the game are stored.
            changes.items.append(Removed(game_id))

    async def _record(self, event: Started | Answered | Ended, changes: Changes) -> None:
        game = await self._game_of(event, changes)
        match event:
            case Answered():
                self._record_position(game, event.turn, changes)
                self._record_answer(game, event, changes)
            case Ended():
                self._end(game, event, changes)
            case Started():
                self._record_position(game, event.turn, changes)
        if game.header.ended_at is None:
            self._games.keep(game)

    async def _game_of(self, event: Started | Answered | Ended, changes: Changes) -> LiveGame:
        """Return the game of an event, with its snakes.

        Ours is marked, unless it is a stranger. A new turn begins the game, or continues a game that counted
        as finished.
        """
        turn = event.turn
        game = self._games.get(turn.game.id)
        if game is None and (header := await self._stored(turn.game.id)):
            game = LiveGame(header)
        elif game is None:
            game = LiveGame(header_of(turn, seen_at=event.time))
            game.first = turn.turn
            changes.tell(ALL, "start", {"game": game.header.id})
        game.touched = max(game.touched, event.time.timestamp())
        is_continued = game.header.ended_at is not None and turn.turn > game.header.turns
        is_beginning = game.first is not None and turn.turn < game.first + _FIRST_TURNS
        is_marked = _marked(game.header, turn, event.arm, is_beginning)
        if is_continued and not isinstance(event, Ended):
            game.header.ended_at = game.header.winner = None
        # In a new game no snake is ours yet.
        if (is_marked or is_continued) and not isinstance(event, Ended):
            changes.items.append(game_row(game.header))
        return game

    def _record_position(self, game: LiveGame, turn: Turn, changes: Changes, died_late: bool = False) -> None:
        if game.header.ended_at is not None and turn.turn <= game.header.turns:
            # The game is over, and this event repeats an earlier turn.
            return
        following = game.following
        if following.at(turn.turn) is not None:
            # Two snakes of ours play in one game, or the event is repeated.
            return
        position = position_of(turn)
        known = {snake.id for snake in game.header.snakes}
        if not known.issuperset(position.snakes):
            standing = {snake: each for snake, each in position.snakes.items() if snake in known}
            position = msgspec.structs.replace(position, snakes=standing)
        self._keep(game, position, changes)
        if turn.turn < game.header.turns - 1:
            # It is an event of a slow gateway, or a repeated one. Readers have seen later turns.
            return
        late = [turn.you.id] if died_late else []
        shown = following.add_position(position, {turn.you.id: _cells(turn.you.body)}, late)
        game.header.turns = max(game.header.turns, turn.turn)
        self._record_deaths(game, shown, changes)
        self._tell_late(game, turn.turn - 1, changes)
        following.forget_before(turn.turn - 1)
        changes.tell(game.header.id, "turn", shown)
        changes.tell(ALL, "turn", {"game": game.header.id, **msgspec.structs.asdict(shown)})

    def _record_deaths(self, game: LiveGame, shown: ShownTurn, changes: Changes) -> None:
        """Keep the deaths of a turn with the header, because a list of games reads no turns."""
        known = {fallen.snake for fallen in game.header.deaths}
        found = [fallen for death in shown.deaths if (fallen := game.following.fallen(death))]
        if new := [fallen for fallen in found if fallen.snake not in known]:
            game.header.deaths += new
            changes.items.append(game_row(game.header))

    def _record_answer(self, game: LiveGame, event: Answered, changes: Changes) -> None:
        """Record a decision. An answer after the end leaves the game closed."""
        if all(snake.id != event.turn.you.id for snake in game.header.snakes):
            return
        decided = decision_of(event.turn, event.played)
        self._keep(game, decided, changes)
        following = game.following
        shown, number = following.at(decided.turn), following.number_of(decided.snake)
        if game.header.ended_at is not None or shown is None or number is None or shown.decisions[number]:
            # The game is over, or the event is repeated or of a slow gateway.
            return
        _, decision = following.add_decision(decided)
        _tell_decision(game, decided.turn, number, decision, changes)

    def _tell_late(self, game: LiveGame, number: int, changes: Changes) -> None:
        """Tell a turn's decisions again after the next turn has shown that they were late."""
        turn = game.following.at(number)
        for snake, decision in enumerate(turn.decisions if turn else ()):
            if decision and decision.late:
                _tell_decision(game, number, snake, decision, changes)

    def _keep(self, game: LiveGame, record: Record, changes: Changes) -> None:
        row = record_row(game.header.id, record)
        game.note_record(row.record)
        changes.items.append(row)

    def _end(self, game: LiveGame, event: Ended, changes: Changes) -> None:
        header, turn = game.header, event.turn
        died_late = bool(event.outcome.died_late)
        if header.ended_at is None:
            self._record_position(game, turn, changes, died_late)
        if died_late:
            _mark_late(header, turn.you.id)
        if header.ended_at is not None:
            # Another of our snakes has ended the game.
            changes.items.append(game_row(header))
            return
        left = [snake.id for snake in turn.board.snakes]
        header.winner = left[0] if len(left) == 1 and len(header.snakes) > 1 else None
        header.ended_at = event.time
        self._close(game, changes)

    def _close(self, game: LiveGame, changes: Changes) -> None:
        self._games.close(game.header.id)
        changes.items.append(game_row(game.header))
        changes.tell(game.header.id, "end", {"result": result_of(game.header)})
        changes.tell(ALL, "end", {"game": game.header.id})

    def _close_abandoned(self, event: Abandoned, changes: Changes) -> None:
        """Close a game without an end, unless another of our snakes still plays in it."""
        game = self._games.get(event.game_id)
        if game and event.time.timestamp() - game.touched > _LONGEST_PAUSE:
            self._close(game, changes)

    async def _break_off(self, event: BrokenOff, changes: Changes) -> None:
        """Keep the first course of a game that is played again under another id."""
        is_known = event.new_id in self._new_ids
        if is_known or (self._records_games and await self._stored(event.new_id)):
            # Another of our snakes has played in the game, or the event is repeated.
            return
        self._new_ids.append(event.new_id)
        changes.items.append(Renamed(event.game_id, event.new_id))
        game = self._games.get(event.game_id)
        if game and not game.header.turns:
            # Another of our snakes has begun the second course.
            return
        former = game.header if game else await self._stored(event.game_id)
        if former is None:
            return
        former.id, former.broken_off_at = event.new_id, event.time
        if game:
            self._games.close(event.game_id)
            self._close(game, changes)
        else:
            changes.items.append(game_row(former))


def _mark_late(header: Header, snake: str) -> None:
    """Mark a death by a late answer. Another of our snakes may have seen the death before."""
    known = next((fallen for fallen in header.deaths if fallen.snake == snake), Fallen(snake, ""))
    others = [fallen for fallen in header.deaths if fallen.snake != snake]
    header.deaths = [*others, msgspec.structs.replace(known, late=True)]


def _tell_decision(game: LiveGame, turn: int, snake: int, decision: object, changes: Changes) -> None:
    changes.tell(game.header.id, "decision", {"turn": turn, "snake": snake, "decision": decision})


def _marked(header: Header, turn: Turn, arm: PlayedArm, is_beginning: bool) -> bool:
    """Mark the turn's snake as ours. Return whether the mark is new.

    At the beginning of a game, its new snakes are added.
    """
    if is_beginning:
        known = {snake.id for snake in header.snakes}
        new = [snake for snake in (*turn.board.snakes, turn.you) if snake.id not in known]
        header.snakes += map(snake_of, {snake.id: snake for snake in new}.values())
        del header.snakes[MOST_SNAKES:]
    for number, snake in enumerate(header.snakes):
        if snake.id == turn.you.id:
            header.snakes[number] = own(snake, arm)
            return not snake.ours
    return False


def header_of(turn: Turn, source: str = RECORDED, seen_at: datetime | None = None) -> Header:
    """Return the header of a game from its first seen turn, by default seen now."""
    game = turn.game
    return Header(
        id=game.id,
        source=source,
        ruleset=game.ruleset.name,
        version=game.ruleset.version,
        settings=game.ruleset.settings,
        map=game.map,
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        seen_at=seen_at or datetime.now(UTC),
        snakes=[snake_of(snake) for snake in turn.board.snakes],
    )


def snake_of(snake: Snake) -> GameSnake:
    """Return the record of a snake, as of an opponent."""
    looks = snake.customizations
    return GameSnake(snake.id, snake.name, looks.color, looks.head, looks.tail)


def own(snake: GameSnake, arm: PlayedArm) -> GameSnake:
    """Return the record of a snake of ours, with the arm that plays for it."""
    return msgspec.structs.replace(
        snake, ours=True, strategy=arm.strategy, experiment=arm.experiment, arm=arm.name
    )


def position_of(turn: Turn) -> Position:
    """Return the board of a turn."""
    board = turn.board
    return Position(
        turn.turn,
        _cells(board.food),
        _cells(board.hazards),
        {
            snake.id: LivingSnake(_cells(snake.body), snake.health, snake.milliseconds)
            for snake in board.snakes
        },
    )


def decision_of(turn: Turn, played: PlayedMove) -> Decided:
    """Return an answered move."""
    result = played.result
    decided = Decided(
        turn=turn.turn,
        snake=turn.you.id,
        move=played.move,
        source=played.source,
        strategy=played.strategy,
        time=_milliseconds(played.elapsed),
        budget=_milliseconds(played.budget),
        left=_milliseconds(played.left),
    )
    return decided if result is None else _with_search(decided, result)


def _with_search(decided: Decided, result: MoveResult) -> Decided:
    found = translate.details(result.message) if result.message is not None else Details((), (), None, 0)
    return msgspec.structs.replace(
        decided,
        time=_milliseconds(result.seconds),
        depth=result.depth,
        nodes=result.nodes,
        evaluations=found.evaluations,
        score=result.score,
        stop=found.stop,
        moves=[_root_move(move) for move in found.moves],
        pv=_columns(found),
    )


def _root_move(root: translate.RootMove) -> RootMove:
    ending = (root.outcome.kind, root.outcome.turns) if root.outcome else ()
    return RootMove(root.move, root.score, root.depth, *ending)


def _columns(found: Details) -> dict[str, str]:
    """Return the expected moves by snake."""
    columns: dict[str, list[str]] = {}
    for turn, joint in enumerate(found.pv):
        for snake, move in joint.items():
            columns.setdefault(snake, ["."] * len(found.pv))[turn] = move[0]
    return {snake: "".join(column) for snake, column in columns.items()}


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _cells(points: list[Point]) -> list[Cell]:
    return [(point.x, point.y) for point in points]
