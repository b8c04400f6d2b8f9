"""A searcher by whose script one turn of the fixture's duel loses a game that another move held."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

from click.testing import CliRunner

from battlesnake_search.contract import analysis_pb2, search_pb2
from console.commands.main import main
from console.replay import official
from console.store.assembly import whole
from console.store.values import Game
from tests.gateway.scripted_searcher import GameContext, GameScript

DUEL = Path(__file__).parents[2] / "fixtures" / "games" / "duel.jsonl"

_ALL = (
    search_pb2.DIRECTION_UP,
    search_pb2.DIRECTION_DOWN,
    search_pb2.DIRECTION_LEFT,
    search_pb2.DIRECTION_RIGHT,
)

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


Value = Callable[[int, bool, int], float]
"""A move's score by the turn, whether it was played, and the limit of nodes. -1 is a loss in 9 turns."""


def valuing(value: Value) -> GameScript:
    """Return a script by which all moves are legal and have these scores."""

    async def script(
        request: analysis_pb2.AnalyzeGameRequest, _context: GameContext
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        for index, asked in enumerate(request.positions):
            result = search_pb2.SearchResult(depth=12)
            result.elapsed.FromMicroseconds(1500)
            for move in request.limits.root_moves or _ALL:
                score = value(asked.position.turn, move == asked.played_move, request.limits.nodes)
                root = result.root_moves.add(move=move, score=score, depth=12)
                is_held = request.only_losses and score > -1
                root.score_kind = (
                    search_pb2.SCORE_KIND_LOWER_BOUND if is_held else search_pb2.SCORE_KIND_EXACT
                )
                if score == -1:
                    root.outcome.kind, root.outcome.turns = search_pb2.OUTCOME_KIND_LOSS, 9
            result.root_moves.sort(key=lambda root: -root.score)
            result.move, result.score = result.root_moves[0].move, result.root_moves[0].score
            you = asked.position.you_id
            result.principal_variation.add(moves={you: result.move})
            yield analysis_pb2.AnalyzeGameResponse(
                index=index, result=result, final=index + 1 == len(request.positions)
            )

    return script


def _value(turn: int, is_played: bool, _nodes: int) -> float:
    return -1 if turn > FATAL or (turn == FATAL and is_played) else 0.1


scores = valuing(_value)
"""A script by which the played move of the fatal turn has lost a game that the other ones still held."""
