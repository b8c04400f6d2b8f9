"""The recorders of outcomes and of games. They subscribe to the events of games."""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import msgspec

from battlesnake_search import translate
from battlesnake_search.board import MOST_SNAKES, Point, Snake, Turn
from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.events import (
    Abandoned,
    Answered,
    Asked,
    BrokenOff,
    Ended,
    Event,
    PlayedArm,
    PlayedMove,
    Probed,
    Started,
)
from battlesnake_search.translate import Details, MoveResult
from console.store.assembly import result_of
from console.store.feed import ALL, Feed
from console.store.memory import KeptGame, Memory
from console.store.records import (
    RECORDED,
    Decided,
    Header,
    LivingSnake,
    Position,
    Record,
    Renamed,
    RootMove,
    Row,
    game_row,
    record_row,
)
from console.store.values import Cell, GameSnake
from console.store.writer import ItemCounters, Sink

log = get_logger(__name__)

_LONGEST_PAUSE = 300.0
"""Seconds without a request of any snake after which an abandoned game is closed."""

_MOST_HELD = 256
_MOST_EVENTS = 8
_MOST_BYTES_HELD = 1_000_000
"""The most games to hold back while their only snake is in its first turn, the most events of each of them,
and the most bytes of all of them."""

_FIRST_TURNS = 2
"""The turns, from the first one seen, in which a game may show new snakes. Later ones are of a stranger."""


class OutcomeRecorder:
    """A recorder that passes the outcomes of games to a sink. It subscribes before the recorder of games."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._renamed: deque[str] = deque(maxlen=_MOST_HELD)
        """The new ids of first courses."""

    def take(self, event: Event) -> None:
        """Take an event of a game."""
        if isinstance(event, BrokenOff) and event.new_id not in self._renamed:
            # Several of our snakes may have played in the game.
            self._renamed.append(event.new_id)
            self._sink.put(Renamed(event.game_id, event.new_id))
        if isinstance(event, Ended | BrokenOff | Abandoned) and event.outcome is not None:
            self._sink.record(event.outcome)


class GameRecorder:
    """A recorder that keeps games in `memory`, shows them in `feed`, and passes their rows to `write`."""

    def __init__(
        self, memory: Memory, feed: Feed, counters: ItemCounters, write: Callable[[Row], None]
    ) -> None:
        self._memory = memory
        self._feed = feed
        self._counters = counters
        self._write = write
        self._now = asyncio.get_running_loop().time
        self._held: OrderedDict[str, list[Started | Asked | Answered | Ended]] = OrderedDict()
        """The events of games with a snake alone in its first turn. Until the second turn, they may be checks
        of a snake."""
        self._bytes_held = 0

    def take(self, event: Event) -> None:
        """Take an event of a game."""
        try:
            self._take(event)
        except Exception:
            self._counters.count("lost", 1)
            raise

    def _take(self, event: Event) -> None:
        match event:
            case Started() | Asked() | Answered() | Ended():
                for each in self._released(event):
                    self._record(each)
            case Probed():
                self._release(event.game_id)
            case BrokenOff():
                self._break_off(event)
            case Abandoned():
                self._close_abandoned(event.game_id)

    def _released(self, event: Started | Asked | Answered | Ended) -> Sequence[Event]:
        """Return the events to record, none while a snake is alone in its first turn."""
        turn = event.turn
        if turn.turn == 0 and len(turn.board.snakes) == 1 and self._memory.get(turn.game.id) is None:
            self._hold(event)
            return []
        if not self._held:
            return [event]
        return [*self._release(turn.game.id), event]

    def _hold(self, event: Started | Asked | Answered | Ended) -> None:
        held = self._held.setdefault(event.turn.game.id, [])
        if len(held) < _MOST_EVENTS:
            held.append(event)
            self._bytes_held += event.turn.size
        while len(self._held) > _MOST_HELD or self._bytes_held > _MOST_BYTES_HELD:
            self._release(next(iter(self._held)))

    def _release(self, game_id: str) -> list[Started | Asked | Answered | Ended]:
        """Hold back the events of a game no longer, and return them."""
        released = self._held.pop(game_id, [])
        self._bytes_held -= sum(event.turn.size for event in released)
        return released

    def _record(self, event: Event) -> None:
        match event:
            case Answered():
                self._record_answer(event)
            case Ended():
                self._end(self._game_of(event.turn, event.arm, is_new_turn=False), event.turn)
            case Started() | Asked():
                self._record_position(self._game_of(event.turn, event.arm), event.turn)

    def _game_of(self, turn: Turn, arm: PlayedArm, is_new_turn: bool = True) -> KeptGame:
        """Return the game of a turn, with its snakes.

        Ours is marked, unless it is a stranger. A new turn begins the game, or continues a game that counted
        as finished.
        """
        game = self._memory.get(turn.game.id)
        if game is None:
            game = self._memory.create(header_of(turn))
            game.first = turn.turn
            self._feed.publish(ALL, "start", {"game": game.header.id})
        game.touched = self._now()
        is_continued = not game.is_live and turn.turn > game.header.turns
        is_beginning = game.first is not None and turn.turn < game.first + _FIRST_TURNS
        is_marked = _marked(game.header, turn, arm, is_beginning)
        # In a new game no snake is ours yet.
        if (is_marked or is_continued) and is_new_turn:
            game.header.ended_at = game.header.winner = None
            self._write(game_row(game.header))
        return game

    def _record_position(self, game: KeptGame, turn: Turn) -> None:
        if not game.is_live and turn.turn <= game.header.turns:
            # The game is over, and this event repeats an earlier turn.
            return
        following = game.follow()
        if following.at(turn.turn) is not None:
            # Two snakes of ours play in one game.
            return
        position = position_of(turn)
        known = {snake.id for snake in game.header.snakes}
        if not known.issuperset(position.snakes):
            standing = {snake: each for snake, each in position.snakes.items() if snake in known}
            position = msgspec.structs.replace(position, snakes=standing)
        self._keep(game, position)
        shown = following.add_position(position, {turn.you.id: _cells(turn.you.body)})
        # They are kept with the header, because a list of games reads no turns.
        game.header.deaths += [fallen for death in shown.deaths if (fallen := following.fallen(death))]
        game.header.turns = max(game.header.turns, turn.turn)
        self._publish_late(game, turn.turn - 1)
        following.forget_before(turn.turn - 1)
        self._feed.publish(game.header.id, "turn", shown)
        if self._feed.is_read(ALL):
            self._feed.publish(ALL, "turn", {"game": game.header.id, **msgspec.structs.asdict(shown)})

    def _record_answer(self, event: Answered) -> None:
        """Record a decision. An answer after the end leaves the game closed."""
        game = self._memory.get(event.turn.game.id)
        if game is None:
            game = self._game_of(event.turn, event.arm)
        if all(snake.id != event.turn.you.id for snake in game.header.snakes):
            return
        decided = decision_of(event.turn, event.played)
        self._keep(game, decided)
        if game.is_live:
            number, decision = game.follow().add_decision(decided)
            assert number is not None
            self._publish_decision(game, decided.turn, number, decision)

    def _publish_late(self, game: KeptGame, number: int) -> None:
        """Publish a turn's decisions again after the next turn has shown that they were late."""
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
            # Another of our snakes has ended the game.
            self._write(game_row(header))
            return
        self._record_position(game, turn)
        left = [snake.id for snake in turn.board.snakes]
        header.winner = left[0] if len(left) == 1 and len(header.snakes) > 1 else None
        header.ended_at = datetime.now(UTC)
        self._close(game)

    def _close(self, game: KeptGame) -> None:
        self._memory.close(game)
        self._write(game_row(game.header))
        self._feed.publish(game.header.id, "end", {"result": result_of(game.header)})
        self._feed.publish(ALL, "end", {"game": game.header.id})

    def _close_abandoned(self, game_id: str) -> None:
        """Close a game without an end, unless another of our snakes still plays in it."""
        game = self._memory.get(game_id)
        if game and game.is_live and self._now() - game.touched > _LONGEST_PAUSE:
            self._close(game)

    def _break_off(self, event: BrokenOff) -> None:
        """Keep the first course of a game that is played again under another id."""
        game = self._memory.get(event.game_id)
        if game is None or not game.header.turns:
            # Another of our snakes has begun the second course.
            return
        self._memory.rename(game, event.new_id)
        self._close(game)


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


def header_of(turn: Turn, source: str = RECORDED) -> Header:
    """Return the header of a game from its first seen turn."""
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
        seen_at=datetime.now(UTC),
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
