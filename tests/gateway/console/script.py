"""A searcher by whose script one turn of the fixture's duel loses a game that another move held."""

from collections.abc import AsyncIterator
from pathlib import Path

from click.testing import CliRunner

from battlesnake_search.contract import search_pb2
from gateway.commands.main import main
from gateway.replay import official
from gateway.replay.assembly import whole
from gateway.replay.values import Game
from tests.gateway.scripted_searcher import Context

DUEL = Path(__file__).parents[2] / "fixtures" / "games" / "duel.jsonl"

FATAL = 5
"""The turn whose move loses by the script."""


def duel() -> Game:
    """Return the game."""
    return whole(*official.read(DUEL.read_bytes()))


def import_duel(database: Path) -> None:
    """Record the game in a database, as the command does it."""
    result = CliRunner().invoke(main, ["games", "import", str(DUEL), "--outcomes", str(database)])
    assert result.exit_code == 0, result.output


def loser(game: Game) -> int:
    """Return the number of the snake that has lost a duel."""
    assert game.result is not None and game.result.winner is not None
    return 1 - game.result.winner


async def scores(
    request: search_pb2.StreamSearchRequest, _context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    """Answer as if the played move of the fatal turn had lost a game that the other ones still held."""
    moves, turn = request.limits.root_moves, request.position.turn
    is_lost = turn > FATAL or (turn == FATAL and len(moves) == 1)
    root = search_pb2.RootMove(move=moves[0], score=-1 if is_lost else 0.1, depth=12)
    if is_lost:
        root.outcome.CopyFrom(search_pb2.Outcome(kind=search_pb2.OUTCOME_KIND_LOSS, turns=9))
    result = search_pb2.SearchResult(move=moves[0], score=root.score, depth=12, root_moves=[root])
    yield search_pb2.StreamSearchResponse(result=result, final=True)
