"""Events of gateways as a console takes them: at least once, and from several gateways."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.contract import record_pb2
from battlesnake_search.record import wire
from battlesnake_search.record.events import Answered, BrokenOff, Ended, Event, Probed, Started
from console.app import Console
from console.searchers import Searchers
from console.settings import Settings
from console.store.database import read_database
from console.store.feed import ALL
from console.store.store import Store
from console.store.values import Game
from tests.console.store.game_samples import ARM, reflex, searched, turn_at
from tests.console.store.outcome_samples import outcome_with, stored_outcomes

PATIENCE = 30.0


@asynccontextmanager
async def _console(folder: Path) -> AsyncIterator[Console]:
    """Run a console with the database of a folder."""
    settings = Settings(outcomes=read_database(str(folder / "games.sqlite")), reviews=False)
    async with Console(settings, Searchers((), None), CollectorRegistry()) as console:
        yield console


async def _tell(console: Console, *events: Event) -> None:
    """Send events as a gateway, and wait until they are acknowledged."""

    async def requests() -> AsyncIterator[record_pb2.RecordRequest]:
        for number, event in enumerate(events, start=1):
            yield record_pb2.RecordRequest.FromString(wire.encode(event, number))
        await asyncio.Event().wait()

    context: Any = None
    answers: Any = console.service.Record(requests(), context)
    async with asyncio.timeout(PATIENCE), aclosing(answers) as responses:
        async for response in responses:
            if response.acknowledged == len(events):
                return


def _answered(number: int, game: str = "g") -> Answered:
    turn = turn_at(number, game)
    return Answered(turn, ARM, searched(turn) if number % 2 else reflex())


def _ended(number: int, game: str = "g", **fields: Any) -> Ended:
    return Ended(turn_at(number, game), ARM, outcome_with(game_id=game, **fields))


def _course(turns: int, **fields: Any) -> list[Event]:
    """Return the events of a whole game."""
    moves = [_answered(number) for number in range(turns)]
    return [Started(turn_at(0, "g"), ARM), *moves, _ended(turns, **fields)]


async def _content(folder: Path) -> tuple[object, ...]:
    """Return all that the database has of the game and of its former course."""
    url = read_database(str(folder / "games.sqlite")).url
    async with Store(url) as store:
        games = await store.headers(None, 10)
        records = [sorted(await store.records(game.id)) for game in games]
    return games, records, await stored_outcomes(url)


async def _game(console: Console, game: str = "g") -> Game:
    found = await console.library.game(game)
    assert found is not None
    return found


async def test_a_console_that_starts_in_the_middle_of_a_game_continues_it(tmp_path: Path) -> None:
    """The game keeps its beginning, its snakes and its turns."""
    events = _course(6)
    async with _console(tmp_path) as console:
        await _tell(console, *events[:4])
        before = await _game(console)
        assert not before.over
    async with _console(tmp_path) as console:
        await _tell(console, *events[4:])
        game = await _game(console)
    assert [turn.turn for turn in game.turns] == list(range(7)) and game.over and game.result is not None
    assert (game.started_at, game.snakes) == (before.started_at, before.snakes)
    assert [sum(map(bool, turn.decisions)) for turn in game.turns] == [1] * 6 + [0]


async def test_the_first_turn_of_a_snake_alone_survives_a_killed_console(tmp_path: Path) -> None:
    """The turn is acknowledged, so the gateway does not tell it again."""
    turns = [turn_at(number, "g", "solo-start-0") for number in range(2)]
    for turn in turns:
        async with _console(tmp_path) as console:
            await _tell(console, Answered(turn, ARM, reflex()))
            found = [each.turn for each in (await _game(console)).turns]
    assert found == [0, 1]


async def test_a_check_of_the_snake_is_removed(tmp_path: Path) -> None:
    """A game under the same id follows at once, and is kept."""
    alone = turn_at(0, "g", "solo-start-0")
    events: list[Event] = [Started(alone, ARM), Answered(alone, ARM, reflex()), Probed("g")]
    async with _console(tmp_path) as console:
        await _tell(console, *events)
        assert await console.library.count() == 0 and await console.library.game("g") is None
        await _tell(console, *events, *_course(2))
        assert [turn.turn for turn in (await _game(console)).turns] == [0, 1, 2]
        assert len((await _game(console)).snakes) == len(turn_at(0).board.snakes)


async def test_the_events_of_two_gateways_are_one_game(tmp_path: Path) -> None:
    """They share the moves, and one may be slow."""
    fast: list[Event] = [Started(turn_at(0, "g"), ARM), *(_answered(number) for number in range(0, 9, 2))]
    slow = [_answered(number) for number in range(1, 9, 2)]
    async with _console(tmp_path) as console:
        await asyncio.gather(_tell(console, *fast), _tell(console, *slow[:2]))
        await _tell(console, *slow[2:], _ended(9))
        game = await _game(console)
        assert await console.library.count() == 1
    assert [turn.turn for turn in game.turns] == list(range(10)) and game.over
    assert [sum(map(bool, turn.decisions)) for turn in game.turns] == [1] * 9 + [0]


@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("repeated", [1, 8])
async def test_a_repeated_event_changes_nothing(tmp_path: Path, repeated: int, is_restarted: bool) -> None:
    """A gateway tells the last events again if it has no acknowledgement of them."""
    events = _course(6)
    async with _console(tmp_path) as console:
        await _tell(console, *events)
        before = await _content(tmp_path)
        if not is_restarted:
            await _tell(console, *events[-repeated:])
    if is_restarted:
        async with _console(tmp_path) as console:
            await _tell(console, *events[-repeated:])
    assert await _content(tmp_path) == before


async def test_repeated_events_of_a_running_game_change_nothing(tmp_path: Path) -> None:
    """Readers don't get older turns again, and the game stays live."""
    events = _course(6)[:-1]
    async with _console(tmp_path) as console:
        await _tell(console, *events)
        before = await _content(tmp_path)
        with console.feed.reading(ALL) as reader:
            await _tell(console, *events)
            assert (await reader.next(0.01)).startswith(b":")
        assert not (await _game(console)).over
    assert await _content(tmp_path) == before


@pytest.mark.parametrize("is_restarted", [False, True])
@pytest.mark.parametrize("is_over", [False, True])
async def test_a_repeated_break_leaves_the_second_course(
    tmp_path: Path, is_over: bool, is_restarted: bool
) -> None:
    """The second course may run or be over when the gateway tells the break again."""
    first = [*_course(4)[:-1], BrokenOff("g", "g~1", outcome_with(game_id="g~1", ended=False, part="1"))]
    second = _course(2, part="2") if is_over else _course(2)[:-1]
    async with _console(tmp_path) as console:
        # Another of our snakes has died in the first course.
        await _tell(console, _ended(3, snake_id="other"), *first, *second)
        before = await _content(tmp_path)
        if not is_restarted:
            await _tell(console, first[-1], *second)
    if is_restarted:
        async with _console(tmp_path) as console:
            await _tell(console, *second[:1])
            await _tell(console, first[-1], *second)
    assert await _content(tmp_path) == before
    games, _, outcomes = before
    assert isinstance(games, list) and isinstance(outcomes, list)
    assert {game.id: game.turns for game in games} == {"g": 2 if is_over else 1, "g~1": 3}
    stored = {(row["game_id"], row["snake_id"], row["part"]) for row in outcomes}
    assert stored == {("g~1", "other", ""), ("g~1", "snake", "1")} | (
        {("g", "snake", "2")} if is_over else set()
    )


@pytest.mark.parametrize("number", range(4), ids=["nothing", "start", "a move", "the end"])
async def test_a_repeated_first_course_leaves_the_second_course(tmp_path: Path, number: int) -> None:
    """A killed console may have stored more of the second course than its gateway knows."""
    first: list[Event] = [*_course(8)[:-1], _ended(8, snake_id="other")]
    first.append(BrokenOff("g", "g~1", outcome_with(game_id="g~1", ended=False, part="1")))
    second = _course(2, part="2")
    async with _console(tmp_path / "once") as console:
        await _tell(console, *first, *second)
        once = await _content(tmp_path / "once")
    async with _console(tmp_path / "again") as console:
        await _tell(console, *first, *second[:number])
    async with _console(tmp_path / "again") as console:
        await _tell(console, *first[3:], *second)
        assert await _content(tmp_path / "again") == once


async def test_without_games_a_repeated_break_leaves_the_second_course(tmp_path: Path) -> None:
    """The outcome of the second course may wait for the database when the break is told again."""
    broken = BrokenOff("g", "g~1", outcome_with(game_id="g~1", ended=False, part="1"))
    events: list[Event] = [broken, _ended(2, part="2")]
    database = read_database(str(tmp_path / "games.sqlite"))
    settings = Settings(outcomes=database, games=None, reviews=False)
    async with Console(settings, Searchers((), None), CollectorRegistry()) as console:
        await _tell(console, broken)
        await _tell(console, _ended(2, part="2"), *events)
    rows = await stored_outcomes(database.url)
    assert sorted((row["game_id"], row["part"]) for row in rows) == [("g", "2"), ("g~1", "1")]


async def test_events_are_acknowledged_and_told_after_the_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then the gateway keeps them, and readers would not find them in the database."""
    is_open = asyncio.Event()
    add = Store.add

    async def wait_and_add(store: Store, rows: Sequence[Any]) -> None:
        await is_open.wait()
        await add(store, rows)

    monkeypatch.setattr(Store, "add", wait_and_add)
    async with _console(tmp_path) as console:
        with console.feed.reading("g") as reader:
            telling = asyncio.create_task(_tell(console, Started(turn_at(0, "g"), ARM), _answered(0)))
            assert (await reader.next(0.3)).startswith(b":") and not telling.done()
            is_open.set()
            assert (await reader.next(PATIENCE)).startswith(b"event: turn")
            assert [turn.turn for turn in (await _game(console)).turns] == [0]
            await telling
