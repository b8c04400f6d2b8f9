"""From what the webhooks see to what is kept of it."""

from datetime import UTC, datetime

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search import translate
from battlesnake_search.board import milliseconds
from battlesnake_search.translate import Details, MoveResult
from gateway.play.player import Answer
from gateway.replay.values import Cell, GameSnake
from gateway.routes.config import Choice
from gateway.store.records import RECORDED, Decided, Header, Position, RootMove, Standing


class _Looks(msgspec.Struct, frozen=True):
    color: str = ""
    head: str = ""
    tail: str = ""


_COMMAND_LINE = "cli"
"""The version of the official engine's command line."""

_looks_decoder = msgspec.json.Decoder(_Looks)


def header_of(turn: bodies.Turn, source: str = RECORDED) -> Header:
    """Return the header of a game of which this is the first turn that was seen."""
    game = turn.game
    return Header(
        id=text(game.id),
        source=source,
        ruleset=text(game.ruleset.name),
        version=text(game.ruleset.version),
        settings=game.ruleset.settings,
        map=text(game.map),
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        seen_at=datetime.now(UTC),
        snakes=[snake_of(snake) for snake in turn.board.snakes],
    )


def snake_of(snake: bodies.Snake) -> GameSnake:
    """Return a snake as a stranger."""
    looks = _looks_of(snake)
    return GameSnake(text(snake.id), snake.name, looks.color, looks.head, looks.tail)


def own(snake: GameSnake, choice: Choice) -> GameSnake:
    """Return a snake as ours, with what the routes chose for it."""
    arm = choice.arm
    return msgspec.structs.replace(
        snake, ours=True, strategy=arm.strategy or "", experiment=choice.snake.draw, arm=arm.name
    )


def position_of(turn: bodies.Turn) -> Position:
    """Return the board of a turn."""
    board = turn.board
    return Position(
        turn.turn,
        _cells(board.food),
        _cells(board.hazards),
        {
            text(snake.id): Standing(_cells(snake.body), snake.health, milliseconds(snake.latency))
            for snake in board.snakes
        },
    )


def last_turn(end: bodies.Turn) -> bodies.Turn:
    """Return the last turn of a game from its /end.

    The official engine's command line counts one turn more there than it has played.
    """
    is_counted = end.game.ruleset.version == _COMMAND_LINE and end.turn > 0
    return msgspec.structs.replace(end, turn=end.turn - 1) if is_counted else end


def decision_of(turn: bodies.Turn, choice: Choice, answer: Answer) -> Decided:
    """Return an answered move."""
    result = answer.result
    decided = Decided(
        turn=turn.turn,
        snake=text(turn.you.id),
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
        text(snake): "".join(joint[snake][0] if snake in joint else "." for joint in found.pv)
        for snake in snakes
    }


def _looks_of(snake: bodies.Snake) -> _Looks:
    try:
        return _looks_decoder.decode(snake.customizations)
    except msgspec.DecodeError:
        return _Looks()


def _milliseconds(seconds: float) -> float:
    return round(1000 * seconds, 1)


def _cells(points: list[bodies.Point]) -> list[Cell]:
    return [(point.x, point.y) for point in points]


def text(text: str) -> str:
    """Return an id or a name without the only character that PostgreSQL can't store."""
    return text.replace("\0", "")
