"""The check of a /move body, the same as the service's check of a request."""

from protos.battlesnake.search.v1 import search_pb2 as pb
from searcher import strategies
from searcher.interface import Task
from searcher.move_body import BoardState, Cell, Game, MoveBody
from searcher.serving.translate import task_of


def checked_task(body: MoveBody) -> Task:
    """Return the task that a body describes. Raises InvalidRequestError, which lists every violation."""
    ruleset, board = _ruleset(body.game), _board(body.board)
    position = pb.Position(turn=body.turn, you_id=body.you.id, ruleset=ruleset, board=board)
    return task_of(pb.SearchRequest(position=position), strategies.offer())


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
