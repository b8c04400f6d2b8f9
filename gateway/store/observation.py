"""From what the webhooks see to what is kept of it."""

from datetime import UTC, datetime

import msgspec

from battlesnake_search import translate
from battlesnake_search.board import Point, Snake, Turn
from battlesnake_search.translate import Details, MoveResult
from gateway.play.player import Answer
from gateway.replay.values import Cell, GameSnake
from gateway.routes.config import Choice
from gateway.store.records import RECORDED, Decided, Header, Position, RootMove, Standing


def header_of(turn: Turn, source: str = RECORDED) -> Header:
    """Return the header of a game of which this is the first turn that was seen."""
    game = turn.game
    return Header(
        id=game.id,
        source=source,
        ruleset=game.ruleset.name,
        version=game.ruleset.version,
        settings=game.ruleset.settings,
        map=game.map,
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        seen_at=datetime.now(UTC),
        snakes=[snake_of(snake) for snake in turn.board.snakes],
    )


def snake_of(snake: Snake) -> GameSnake:
    """Return a snake as a stranger."""
    looks = snake.customizations
    return GameSnake(snake.id, snake.name, looks.color, looks.head, looks.tail)


def own(snake: GameSnake, choice: Choice) -> GameSnake:
    """Return a snake as ours, with what the routes chose for it."""
    arm = choice.arm
    return msgspec.structs.replace(
        snake, ours=True, strategy=arm.strategy or "", experiment=choice.snake.draw, arm=arm.name
    )


def position_of(turn: Turn) -> Position:
    """Return the board of a turn."""
    board = turn.board
    return Position(
        turn.turn,
        _cells(board.food),
        _cells(board.hazards),
        {snake.id: Standing(_cells(snake.body), snake.health, snake.milliseconds) for snake in board.snakes},
    )


def decision_of(turn: Turn, choice: Choice, answer: Answer) -> Decided:
    """Return an answered move."""
    result = answer.result
    decided = Decided(
        turn=turn.turn,
        snake=turn.you.id,
        move=answer.move,
        source=answer.source.value,
        strategy=result.strategy.name if result and result.strategy else choice.arm.plan(turn).strategy,
        time=_milliseconds(answer.elapsed),
        budget=_milliseconds(answer.budget),
        left=_milliseconds(answer.left),
    )
    return decided if result is None else _with_search(decided, result)


def _with_search(decided: Decided, result: MoveResult) -> Decided:
    found = translate.details(result.message) if result.message is not None else Details((), (), None, 0)
    return msgspec.structs.replace(
        decided,
        time=_milliseconds(result.seconds),
        depth=result.depth,
        nodes=result.nodes,
        evaluations=found.evaluations,
        score=result.score,
        stop=found.stop,
        moves=[_root_move(move) for move in found.moves],
        pv=_columns(found),
    )


def _root_move(root: translate.RootMove) -> RootMove:
    ending = (root.outcome.kind, root.outcome.turns) if root.outcome else ()
    return RootMove(root.move, root.score, root.depth, *ending)


def _columns(found: Details) -> dict[str, str]:
    """Return the expected moves by snake."""
    snakes = dict.fromkeys(snake for joint in found.pv for snake in joint)
    return {
        snake: "".join(joint[snake][0] if snake in joint else "." for joint in found.pv) for snake in snakes
    }


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _cells(points: list[Point]) -> list[Cell]:
    return [(point.x, point.y) for point in points]
