"""The check of a /move body and its search. It is the same as the service's check of a request."""

from battlesnake_search.contract import search_pb2 as pb
from searcher import strategies
from searcher.engine.result import Limits, Scores
from searcher.interface import Strategy, StrategyChoice, Task
from searcher.positions.move_body import BoardState, Cell, Game, MoveBody
from searcher.serving.translate import task_of

_UINT32, _UINT64 = (1 << 32) - 1, (1 << 64) - 1


def checked_task(
    body: MoveBody, choice: StrategyChoice = strategies.AUTO, limits: Limits | None = None
) -> Task:
    """Return the task of searching a body's position.

    Raises InvalidRequestError with every violation, including violations in the weights and the limits.
    """
    ruleset, board = _ruleset(body.game), _board(body.board)
    request = pb.SearchRequest(
        position=pb.Position(turn=body.turn, you_id=body.you.id, ruleset=ruleset, board=board),
        strategy=_strategy(choice),
        limits=_limits(limits or Limits()),
    )
    return task_of(request, strategies.offer())


def _strategy(choice: StrategyChoice) -> pb.Strategy:
    if not isinstance(choice, Strategy):
        return pb.Strategy(search=str(choice))
    return pb.Strategy(search=choice.search, evaluator=choice.evaluator, weights=choice.weights)


def _limits(limits: Limits) -> pb.Limits:
    # Numbers too large for a message are beyond every limit anyway.
    return pb.Limits(
        depth=min(limits.depth or 0, _UINT32),
        nodes=min(limits.nodes or 0, _UINT64),
        threads=min(limits.threads, _UINT32),
        exact_root_moves=limits.scores is Scores.ALL,
    )


def _ruleset(game: Game) -> pb.Ruleset:
    settings = pb.RulesetSettings(
        hazard_damage_per_turn=game.ruleset.settings.hazard_damage_per_turn,
        shrink_every_n_turns=game.ruleset.settings.royale.shrink_every_n_turns,
    )
    return pb.Ruleset(name=game.ruleset.name, map=game.map, settings=settings)


def _board(board: BoardState) -> pb.Board:
    return pb.Board(
        width=board.width,
        height=board.height,
        food=_points(board.food),
        hazards=_points(board.hazards),
        snakes=[
            pb.Snake(id=snake.id, health=snake.health, body=_points(snake.body)) for snake in board.snakes
        ],
    )


def _points(cells: list[Cell]) -> list[pb.Point]:
    return [pb.Point(x=cell.x, y=cell.y) for cell in cells]
