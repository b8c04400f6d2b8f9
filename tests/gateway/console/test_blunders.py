"""The API of reviews over real sockets, with a searcher that follows a script."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from battlesnake_search.contract import analysis_pb2
from gateway.console.blunders import MOST_KEPT, REVIEWS, Key, RunningReview, add_review
from gateway.console.blunders import running as running_reviews
from gateway.store.database import OutcomesDatabase, read_database
from tests.gateway.console.console import Console, Event, Json, events_of, running
from tests.gateway.console.script import FATAL, duel, import_duel, loser, scores
from tests.gateway.scripted_searcher import GameContext

PATIENCE = 60.0


@pytest.fixture
def games(tmp_path: Path) -> OutcomesDatabase:
    """A database with the duel."""
    file = tmp_path / "games.sqlite"
    import_duel(file)
    return read_database(str(file))


async def _slow(
    request: analysis_pb2.AnalyzeGameRequest, context: GameContext
) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
    """Answer after a while for each position."""
    async for response in scores(request, context):
        await asyncio.sleep(0.3)
        yield response


async def _start(console: Console, status: int = 202, query: str = "", game: str = "") -> Json:
    path = f"/api/games/{game or duel().id}/blunders{query}"
    async with console.admin.post(path, json={}) as answer:
        assert answer.status == status, await answer.text()
        found: Json = await answer.json()
        return found


async def _events(console: Console, query: str = "") -> list[Event]:
    """Return all events of the review."""
    async with (
        asyncio.timeout(PATIENCE),
        console.admin.get(f"/api/games/{duel().id}/blunders{query}") as answer,
    ):
        return await events_of(answer)


async def test_a_review_tells_its_progress_and_its_result(games: OutcomesDatabase) -> None:
    """Each reviewed turn is an event, and then the whole review. A later reader gets the same events."""
    game = duel()
    query = f"?snake={game.snakes[loser(game)].id}"
    async with running(analyses=scores, outcomes=games) as console:
        assert (await _start(console, query=query))["game"] == game.id
        events = await _events(console, query)
        assert await _events(console, query) == events
        await _start(console, query=query)
        assert await _events(console, query) == events
    *turns, (last, review) = events
    assert {name for name, _ in turns} == {"turn"} and last == "review"
    assert all(0 <= data["done"] <= 1 for _, data in turns)
    assert (review["lost_at"], review["blunders"], review["result"]) == (FATAL, [FATAL], "lost")


async def test_one_review_runs_at_a_time(games: OutcomesDatabase) -> None:
    """The same one goes on, and another one is refused while the first one runs."""
    first, second = (f"?snake={snake.id}" for snake in duel().snakes)
    async with running(analyses=_slow, outcomes=games) as console:
        assert await _start(console, query=first) == await _start(console, query=first)
        error = (await _start(console, status=409, query=second))["error"]
        assert "another game is being reviewed" in error


async def test_a_live_game_comes_first(games: OutcomesDatabase) -> None:
    """A review is refused while a game is played, and a game that begins stops it."""
    async with running(analyses=_slow, outcomes=games) as console:
        await _start(console)
        await console.play("live", range(1), ends=False)
        assert (await _events(console))[-1] == ("problem", {"error": "stopped: a game is being played"})
        assert "a game is being played" in (await _start(console, status=409))["error"]


async def test_what_is_wrong_is_named(games: OutcomesDatabase) -> None:
    """Unknown games and snakes, and a review that was not started."""
    async with running(analyses=scores, outcomes=games) as console:
        assert await _start(console, 404, game="x") == {"error": "no such game: x"}
        assert await _start(console, 404, "?snake=x") == {"error": "no such snake: x"}
        answer = await console.get(f"/api/games/{duel().id}/blunders", status=404)
        assert answer == {"error": f"no review of game {duel().id} was started"}


async def test_the_end_stops_the_review_that_runs() -> None:
    """Reviews that are over stay as they are, even one that failed."""

    async def fail() -> None:
        raise ValueError

    app = web.Application()
    keeping = running_reviews(app)
    await anext(keeping)
    failed, running_one = (add_review(app[REVIEWS], (name, 0)) for name in "ab")
    failed.task = asyncio.create_task(fail())
    await asyncio.wait([failed.task])
    running_one.task = asyncio.create_task(asyncio.sleep(PATIENCE))
    with pytest.raises(StopAsyncIteration):
        await anext(keeping)
    assert running_one.task.cancelled()
    assert isinstance(failed.task.exception(), ValueError)


def test_the_newest_reviews_are_kept() -> None:
    """The oldest of too many is forgotten; a review that is made again is the newest."""
    reviews = dict[Key, RunningReview]()
    for number in range(MOST_KEPT):
        add_review(reviews, ("g", number))
    again = add_review(reviews, ("g", 0))
    add_review(reviews, ("new", 0))
    assert list(reviews) == [*(("g", number) for number in range(2, MOST_KEPT)), ("g", 0), ("new", 0)]
    assert reviews["g", 0] is again
