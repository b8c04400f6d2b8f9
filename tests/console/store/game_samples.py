"""Turns and answers of a game, as the gateway receives and gives them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from battlesnake_search import translate
from battlesnake_search.board import Settings, Turn
from battlesnake_search.contract import search_pb2
from battlesnake_search.record.events import Answered, Ended, Event, PlayedArm, PlayedMove, Source, Started
from battlesnake_search.record.outcome import Outcome
from console.store.database import read_database
from console.store.feed import Feed
from console.store.library import Library
from console.store.live import LiveGames
from console.store.recorder import Recorder
from console.store.records import RECORDED, Header, Item
from console.store.store import Store
from console.store.values import Game
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
    return PlayedMove("up", Source.SEARCH, "paranoid/area", 0.4, 0.42, 0.1, result)


def reflex(late: bool = False) -> PlayedMove:
    """Return a move without a search, perhaps after the game's timeout."""
    elapsed, left = (0.6, -0.1) if late else (0.1, 0.4)
    return PlayedMove("down", Source.REFLEX, "paranoid/area", elapsed, 0.42, left, None)


class Recording:
    """A recorder, the store of its items, and the readers of its news."""

    def __init__(self, store: Store, live: LiveGames | None = None) -> None:
        self.store, self.feed = store, Feed()
        self.live = LiveGames() if live is None else live
        self.library = Library(self.live, store)
        self.recorder = Recorder(self.live, store.header)
        self.items: list[Item] = []
        """All items so far, in their order."""

    @property
    def rows(self) -> list[Item]:
        """The items of games."""
        return [item for item in self.items if not isinstance(item, Outcome)]

    async def take(self, event: Event) -> None:
        """Record an event: store what it changes, and then publish the news."""
        changes = await self.recorder.take(event)
        self.items += changes.items
        await self.store.add(changes.items)
        for topic, name, data in changes.news:
            self.feed.publish(topic, name, data)

    async def started(self, turn: Turn) -> None:
        """Record the start of a game."""
        await self.take(Started(turn, ARM))

    async def answered(self, turn: Turn, played: PlayedMove | None = None) -> None:
        """Record an answered move, by default a reflex."""
        await self.take(Answered(turn, ARM, played or reflex()))

    async def ended(self, turn: Turn, died_late: bool = False) -> None:
        """Record the end of a game."""
        known = {"game_id": turn.game.id, "snake_id": turn.you.id, "died_late": died_late}
        outcome = msgspec.structs.replace(OUTCOME, **known)
        await self.take(Ended(turn, ARM, outcome))

    async def game(self, game: str) -> Game:
        """Return a recorded game."""
        found = await self.library.game(game)
        assert found is not None
        return found

    async def header(self, game: str) -> Header:
        """Return the stored header of a game."""
        found = await self.store.header(game)
        assert found is not None
        return found


@asynccontextmanager
async def recording(live: LiveGames | None = None) -> AsyncIterator[Recording]:
    """Yield a recorder with a store in a temporary file."""
    with TemporaryDirectory() as folder:
        async with Store(read_database(str(Path(folder) / "games.sqlite")).url) as store:
            await store.prepare()
            yield Recording(store, live)


async def play(recorded: Recording, turns: range, game: str = "") -> None:
    """Start a game, answer its turns with searches and end it."""
    await recorded.started(turn_at(0, game))
    for number in turns:
        turn = turn_at(number, game)
        await recorded.answered(turn, searched(turn))
    await recorded.ended(turn_at(turns.stop, game))
