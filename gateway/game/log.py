"""The log of games: a line for each start, move and end, and a warning if an operator should act."""

import logging
from collections import OrderedDict

import grpc

from battlesnake_search.board import Turn
from battlesnake_search.common.logs import EventDict, get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from battlesnake_search.record.events import BrokenOff, Source
from gateway import reflex
from gateway.game.events import Answered, Ended, Event, Mended, Probed, Started
from gateway.play.player import Answer
from gateway.routes.draw import Choice

log = get_logger(__name__)

_PASSING = frozenset(
    {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED}
)
"""The codes of temporary failures, for example while the searcher compiles."""

_MAX_CAUSES = 1024

PLAYED_LINES, PLAYED_RATE = 400, 100.0
UNPLAYED_LINES, UNPLAYED_RATE = 40, 0.5
"""The lines at once, and the further lines a second, of games with a move and of games without one."""

_Cause = tuple[str, ...]
"""The parts of the reason for a reflex."""


class GameLog:
    """The log of games at level info. Late moves and the first reflex of each cause are warnings.

    A permanent failure, such as an unknown strategy, is one cause for each arm, and a temporary failure is
    one for each game and arm. After a thousand other causes a cause counts as new again. A flood of requests
    leaves lines out, earlier for games without a move.
    """

    def __init__(self) -> None:
        self._causes: OrderedDict[_Cause, None] = OrderedDict()
        self._played = Sparse(PLAYED_LINES, PLAYED_RATE)
        self._unplayed = Sparse(UNPLAYED_LINES, UNPLAYED_RATE)
        """The lines of games without a move. Strangers can begin any number of games."""

    def take(self, event: Event) -> None:
        """Log an event of a game."""
        match event:
            case Started():
                self._log_start(event)
            case Answered():
                self._log_move(event.turn, event.arm, event.played)
            case Mended() if event.new:
                kinds = sorted(event.new)
                self._unplayed.log(
                    log, logging.WARNING, "body mended", game_id=event.turn.game.id, kinds=kinds
                )
            case BrokenOff():
                self._unplayed.log(
                    log, logging.WARNING, "game played again", game_id=event.game_id, former=event.new_id
                )
            case Probed():
                self._unplayed.log(
                    log, logging.INFO, "snake checked", game_id=event.turn.game.id, snake=event.turn.you.name
                )
            case Ended():
                self._log_end(event)

    def _log_move(self, turn: Turn, choice: Choice, answer: Answer) -> None:
        """Log a move. If the previous answer came too late, log this first."""
        if answer.late_before:
            self._log_late(turn, choice)
        unusual = answer.source is Source.REFLEX or answer.is_bridged
        first = unusual and self._is_new(_cause(turn, choice, answer))
        level = logging.WARNING if first or answer.left < 0 else logging.INFO
        self._played.log(log, level, "move", **_fields(turn, choice, answer))

    def _is_new(self, cause: _Cause) -> bool:
        new = cause not in self._causes
        self._causes[cause] = None
        self._causes.move_to_end(cause)
        if len(self._causes) > _MAX_CAUSES:
            self._causes.popitem(last=False)
        return new

    def _log_start(self, event: Started) -> None:
        turn, choice = event.turn, event.arm
        self._unplayed.log(
            log,
            logging.INFO,
            "game started",
            game_id=turn.game.id,
            snake=turn.you.name,
            arm=choice.arm.name,
            ruleset=turn.game.ruleset.name,
            map=turn.game.map,
            timeout_ms=turn.timeout,
            snakes=len(turn.board.snakes),
            arms=len(choice.snake.arms),
        )

    def _log_end(self, event: Ended) -> None:
        turn, outcome = event.turn, event.outcome
        sparse = self._played if outcome.moves else self._unplayed
        sparse.log(
            log,
            logging.INFO,
            "game ended",
            game_id=turn.game.id,
            snake=turn.you.name,
            arm=outcome.arm,
            turn=turn.turn,
            result=outcome.result,
            place=outcome.place,
            snakes_left=len(turn.board.snakes),
            arms=len(event.arm.snake.arms),
        )

    def _log_late(self, turn: Turn, choice: Choice) -> None:
        # A test repeats or skips turns, so that the heads of snakes are not where the answers led them.
        is_test = turn.game.id.startswith(TEST_GAME_PREFIX)
        self._played.log(
            log,
            logging.INFO if is_test else logging.WARNING,
            "late answer",
            game_id=turn.game.id,
            turn=turn.turn - 1,
            snake=turn.you.name,
            arm=choice.arm.name,
            latency_ms=turn.latency,
            timeout_ms=turn.timeout,
        )


def _cause(turn: Turn, choice: Choice, answer: Answer) -> _Cause:
    arm = (choice.snake.path, choice.arm.name)
    if not answer.failures:
        return *arm, turn.game.id
    last = answer.failures[-1]
    return *arm, last.code.name, turn.game.id if last.code in _PASSING else last.details


def _fields(turn: Turn, choice: Choice, answer: Answer) -> EventDict:
    fields: EventDict = {
        "game_id": turn.game.id,
        "snake": turn.you.name,
        "arm": choice.arm.name,
        "turn": turn.turn,
        "move": answer.move,
        "source": answer.source.value,
        "elapsed_ms": round(answer.elapsed * 1000, 1),
        "time_left_ms": round(answer.left * 1000, 1),
        "budget_ms": round(answer.budget * 1000, 1),
        "arms": len(choice.snake.arms),
    }
    if answer.result is not None:
        fields["depth"] = answer.result.depth
        fields["nodes"] = answer.result.nodes
        fields["score"] = round(answer.result.score, 4)
        # The search of an only move ends at depth 1. In any other line, such a depth is worth a look.
        if answer.result.depth == 1 and len(reflex.survivable(turn)) == 1:
            fields["forced"] = True
    if answer.failures:
        last = answer.failures[-1]
        fields["failed_calls"] = len(answer.failures)
        fields["last_failure"] = f"{last.code.name}: {last.details}"
    return fields
