"""Turns and answers of a game, as the gateway receives and gives them."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from prometheus_client import CollectorRegistry

from battlesnake_search import translate
from battlesnake_search.board import Settings, Turn
from battlesnake_search.contract import search_pb2
from battlesnake_search.record.events import Answered, Asked, Ended, PlayedArm, PlayedMove, Started
from console.store.feed import Feed
from console.store.memory import Memory
from console.store.metrics import RecordMetrics
from console.store.recorder import GameRecorder
from console.store.records import RECORDED, Header, Row
from tests.console.store.outcome_samples import OUTCOME, recorded

ARM = PlayedArm("default", "main", "paranoid/area")
SEEN = datetime(2026, 1, 2, tzinfo=UTC)


def header_with(game: str = "g", **fields: Any) -> Header:
    """Return the header of a game on 11x11 without snakes, with other values of some fields."""
    plain = Header(
        id=game,
        source=RECORDED,
        ruleset="standard",
        version="",
        settings=Settings(),
        map="",
        width=11,
        height=11,
        timeout_ms=500,
        seen_at=SEEN,
        snakes=[],
    )
    return msgspec.structs.replace(plain, **fields)


def turn_at(number: int, game: str = "", name: str = "standard-move-mid-42") -> Turn:
    """Return a recorded turn with another number, of another game if it is named."""
    turn = recorded(name)
    renamed = msgspec.structs.replace(turn.game, id=game or turn.game.id)
    return msgspec.structs.replace(turn, turn=number, game=renamed)


def with_latency(turn: Turn, latency: str) -> Turn:
    """Return the turn in which the engine reports this latency for our last answer."""
    snakes = [
        msgspec.structs.replace(snake, latency=latency) if snake.id == turn.you.id else snake
        for snake in turn.board.snakes
    ]
    return msgspec.structs.replace(turn, board=msgspec.structs.replace(turn.board, snakes=snakes))


def result_of(turn: Turn) -> search_pb2.SearchResult:
    """Return a search's result with all fields."""
    you, other = (snake.id for snake in turn.board.snakes[:2])
    loss = search_pb2.Outcome(kind=search_pb2.OUTCOME_KIND_LOSS, turns=3)
    up, left = search_pb2.DIRECTION_UP, search_pb2.DIRECTION_LEFT
    result = search_pb2.SearchResult(
        move=up,
        score=0.25,
        depth=9,
        nodes=1000,
        evaluations=500,
        stop_reason=search_pb2.STOP_REASON_DECIDED,
        strategy=search_pb2.Strategy(search="paranoid", evaluator="area"),
        root_moves=[
            search_pb2.RootMove(move=up, score=0.25, depth=9),
            search_pb2.RootMove(move=left, score=-1.0, depth=4, outcome=loss),
        ],
        principal_variation=[
            search_pb2.JointMove(moves={you: up, other: left}),
            search_pb2.JointMove(moves={you: left}),
        ],
    )
    result.elapsed.FromMilliseconds(380)
    return result


def searched(turn: Turn) -> PlayedMove:
    """Return a move by a search."""
    result = translate.move_result(result_of(turn))
    return PlayedMove("up", "search", "paranoid/area", 0.4, 0.42, 0.1, result)


def reflex(late: bool = False) -> PlayedMove:
    """Return a move without a search, perhaps after the game's timeout."""
    elapsed, left = (0.6, -0.1) if late else (0.1, 0.4)
    return PlayedMove("down", "reflex", "paranoid/area", elapsed, 0.42, left, None)


class Recording:
    """A recorder with its readers and a list of its rows."""

    def __init__(self, max_games: int = 100) -> None:
        self.memory, self.feed, self.metrics = Memory(max_games), Feed(), RecordMetrics(CollectorRegistry())
        self.rows: list[Row] = []
        self.recorder = GameRecorder(self.memory, self.feed, self.metrics.records, self.rows.append)

    def started(self, turn: Turn) -> None:
        """Record the start of a game."""
        self.recorder.take(Started(turn, ARM))

    def asked(self, turn: Turn) -> None:
        """Record a turn with a request for a move."""
        self.recorder.take(Asked(turn, ARM))

    def answered(self, turn: Turn, played: PlayedMove) -> None:
        """Record an answered move."""
        self.recorder.take(Answered(turn, ARM, played))

    def ended(self, turn: Turn) -> None:
        """Record the end of a game."""
        self.recorder.take(Ended(turn, ARM, OUTCOME))


def play(recording: Recording, turns: range, game: str = "") -> None:
    """Start a game, answer its turns with searches and end it."""
    recording.started(turn_at(0, game))
    for number in turns:
        turn = turn_at(number, game)
        recording.asked(turn)
        recording.answered(turn, searched(turn))
    recording.ended(turn_at(turns.stop, game))
