"""The API of reviews over real sockets, with a searcher that follows a script."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from battlesnake_search.contract import analysis_pb2
from console.store.database import OutcomesDatabase, read_database
from tests.console.web.console import Console, Event, Json, events_of, running
from tests.console.web.script import FATAL, duel, import_duel, loser, scores
from tests.gateway.scripted_searcher import GameContext, body

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


async def test_a_review_is_stored_with_its_game(games: OutcomesDatabase) -> None:
    """The next gateway shows the same one without a search, even if its searcher can't analyze games."""
    query = f"?snake={duel().snakes[loser(duel())].id}"
    async with running(analyses=scores, outcomes=games) as console:
        await _start(console, query=query)
        found = (await _events(console, query))[-1]
    async with running(outcomes=games) as console:
        await _start(console, query=query)
        assert await _events(console, query) == [found]


async def test_a_lost_game_is_reviewed_by_itself() -> None:
    """Its searches come after those of readers. With the option, none is."""
    asked: list[analysis_pb2.AnalyzeGameRequest] = []

    async def script(
        request: analysis_pb2.AnalyzeGameRequest, context: GameContext
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        asked.append(request)
        async for response in scores(request, context):
            yield response

    for reviews in (True, False):
        asked.clear()
        async with running(analyses=script, reviews=reviews) as console:
            await _lose(console, "lost")
            if reviews:
                [*_, (name, review)] = await _events_when_there(console, "lost")
                assert (name, review["result"], review["game"]) == ("review", "lost", "lost")
                assert {request.priority for request in asked} == {-1}
            else:
                await asyncio.sleep(0.2)
                assert not asked


async def _lose(console: Console, game: str) -> None:
    """Play some turns of a recorded game, in which our snake is then missing."""
    await console.play(game, range(4), ends=False)
    end = body("standard-end-86")
    end["board"]["snakes"] = [each for each in body("standard-start-0")["board"]["snakes"][1:2]]
    await console.post(
        "/end", "standard-end-86", game, you=body("standard-start-0")["you"], board=end["board"]
    )


async def _events_when_there(console: Console, game: str) -> list[Event]:
    async with asyncio.timeout(PATIENCE):
        while True:
            async with console.admin.get(f"/api/games/{game}/blunders") as answer:
                if answer.status == 200:
                    return await events_of(answer)
            await asyncio.sleep(0.05)


async def test_a_fault_is_named(games: OutcomesDatabase) -> None:
    """Unknown games and snakes, and a review that was not started."""
    async with running(analyses=scores, outcomes=games) as console:
        assert await _start(console, 404, game="x") == {"error": "no such game: x"}
        assert await _start(console, 404, "?snake=x") == {"error": "no such snake: x"}
        answer = await console.get(f"/api/games/{duel().id}/blunders", status=404)
        assert answer == {"error": f"no review of game {duel().id} was started"}
