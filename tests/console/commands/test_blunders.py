"""The command line: python -m console blunders."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import grpc
import pytest

from battlesnake_search.contract import analysis_pb2
from tests.console.console_process import PLAIN_COMMAND, complaint, fails, output
from tests.console.web.script import DUEL, FATAL, duel, import_duel, loser, scores
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import (
    GameContext,
    GameScript,
    ScriptedGames,
    ScriptedService,
    at_once,
)


def _searcher(script: GameScript) -> AbstractAsyncContextManager[str]:
    return scripted_searcher.searcher(ScriptedService(at_once), games=ScriptedGames(script))


async def _refusing(
    request: analysis_pb2.AnalyzeGameRequest, context: GameContext
) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
    if request.positions:
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "not now")
    yield analysis_pb2.AnalyzeGameResponse()


@pytest.fixture
def database(tmp_path: Path) -> tuple[str, str]:
    """Return the options with a database that has the duel."""
    file = tmp_path / "games.sqlite"
    import_duel(file)
    return "--outcomes", str(file)


async def test_a_file_and_a_recorded_game_have_the_same_losing_turn(database: tuple[str, str]) -> None:
    """A game is named by its file or by its id; without a name the newest ones are reviewed."""
    game = duel()
    async with _searcher(scores) as target:
        for games in ([str(DUEL)], [game.id], []):
            printed = await output("blunders", *games, *database, "--searcher", target, "--time", "5")
            name = game.snakes[loser(game)].name
            assert f"{name} lost" in printed and f"Turn {FATAL} lost the game: " in printed
            assert "losing turn" in printed and "loss in 9" in printed and "+0.10" in printed


async def test_the_review_of_a_recorded_game_is_stored(database: tuple[str, str]) -> None:
    """The second command needs no searcher. With --again or another strategy the game is reviewed again."""
    games = ScriptedGames(scores)
    async with scripted_searcher.searcher(ScriptedService(at_once), games=games) as target:
        options = *database, "--searcher", target, "--json"
        first = await output("blunders", duel().id, *options)
        calls = len(games.requests)
        assert calls
        assert await output("blunders", duel().id, *options) == first
        assert await output("blunders", *options) == first
        assert len(games.requests) == calls
        await output("blunders", duel().id, *options, "--strategy", "paranoid/area")
        assert len(games.requests) == 2 * calls
        assert await output("blunders", duel().id, *options) == first
        again = await output("blunders", duel().id, *options, "--again")
        assert len(games.requests) == 3 * calls
        assert await output("blunders", duel().id, *options) == again


async def test_a_fault_is_named(tmp_path: Path, database: tuple[str, str]) -> None:
    """An unknown game, no database, another kind of file, a refusal and a missing extra are errors."""
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n{}\n{}\n")
    _, error = await complaint("blunders", "--outcomes", "none")
    assert "no games are recorded: --outcomes is none" in error
    status, error = await complaint("blunders", str(other))
    assert (status, error.startswith(f"Error: {other}: line 2")) == (1, True)
    status, error = await complaint("blunders", "x", *database)
    assert (status, error) == (1, "Error: there is neither a file nor a recorded game x\n")
    async with _searcher(_refusing) as target:
        status, error = await complaint("blunders", str(DUEL), "--searcher", target)
    assert status == 1 and "INVALID_ARGUMENT: not now" in error and "Traceback" not in error
    _, error = await fails("blunders", str(DUEL), command=PLAIN_COMMAND)
    assert "pip install" in error and "Traceback" not in error
