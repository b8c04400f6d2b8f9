"""The log of moves: one line each, a warning where somebody should act."""

import logging
from collections import OrderedDict

import grpc
import structlog

from battlesnake_search.board import Turn
from gateway.play.player import Answer, Source
from gateway.routes.config import Choice

log = structlog.get_logger(__name__)

_PASSING = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED}
)
"""The codes of failures that pass without anybody's help, for example while the searcher compiles."""

_MAX_CAUSES = 1024

_Cause = tuple[str, ...]
"""Why a move is a reflex."""


class MoveLog:
    """Logs moves at level info, and as a warning the late ones and the first reflex of each cause.

    A failure that stays, such as that of an unknown strategy, is one cause for each arm; one that passes is
    one cause for each game and arm. After a thousand other causes a cause counts as new again.
    """

    def __init__(self) -> None:
        self._causes: OrderedDict[_Cause, None] = OrderedDict()

    def write(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Log a move; before it, if the engine received the previous one too late, log that."""
        if answer.late_before:
            _log_late(turn, choice)
        first = answer.source is Source.REFLEX and self._is_new(_cause(turn, choice, answer))
        level = logging.WARNING if first or answer.left < 0 else logging.INFO
        log.log(level, "move", **_fields(turn, choice, answer))

    def _is_new(self, cause: _Cause) -> bool:
        new = cause not in self._causes
        self._causes[cause] = None
        self._causes.move_to_end(cause)
        if len(self._causes) > _MAX_CAUSES:
            self._causes.popitem(last=False)
        return new


def _cause(turn: Turn, choice: Choice, answer: Answer) -> _Cause:
    arm = (choice.snake.path, choice.arm.name)
    if not answer.failures:
        return *arm, turn.game.id
    last = answer.failures[-1]
    return *arm, last.code.name, turn.game.id if last.code in _PASSING else last.details


def _log_late(turn: Turn, choice: Choice) -> None:
    log.warning(
        "late answer",
        game_id=turn.game.id,
        turn=turn.turn - 1,
        snake=turn.you.name,
        arm=choice.arm.name,
        latency_ms=turn.latency,
        timeout_ms=turn.timeout,
    )


def _fields(turn: Turn, choice: Choice, answer: Answer) -> dict[str, object]:
    fields: dict[str, object] = {
        "game_id": turn.game.id,
        "snake": turn.you.name,
        "arm": choice.arm.name,
        "turn": turn.turn,
        "move": answer.move,
        "source": answer.source.value,
        "elapsed_ms": round(answer.elapsed * 1000, 1),
        "time_left_ms": round(answer.left * 1000, 1),
        "text_only": {"arms": len(choice.snake.arms)},
    }
    if answer.result is not None:
        fields["depth"] = answer.result.depth
        fields["nodes"] = answer.result.nodes
        fields["score"] = round(answer.result.score, 4)
    if answer.failures:
        last = answer.failures[-1]
        fields["failed_calls"] = len(answer.failures)
        fields["last_failure"] = f"{last.code.name}: {last.details}"
    return fields
