"""The report of an analysis for programs: one JSON object with the field names of the contract.

Its `position` is a Position of the contract in JSON. Moves are as in a /move response, times in seconds.
"""

from typing import Any

import msgspec

from searcher.engine.result import JointMove, Result, RootMove
from searcher.interface import Task
from searcher.positions.move_body import Game
from searcher.tools.analysis.source import Source


class JsonReport:
    """Prints the whole analysis of a task at its end."""

    def __init__(self, source: Source, task: Task) -> None:
        self._source = source
        self._task = task
        self._ids = [snake.id for snake in task.position.snakes]
        self._depths: list[dict[str, Any]] = []

    def begin(self) -> None:
        """Do nothing: everything is printed at the end."""

    def depth(self, result: Result) -> None:
        """Keep the result of a completed depth."""
        self._depths.append(self._result(result))

    def end(self, result: Result) -> None:
        """Print the position, the strategy, the limits, each depth and the result."""
        task, body = self._task, self._source.body
        limits = task.limits
        document = {
            "position": {
                "turn": body.turn,
                "you_id": body.you.id,
                "ruleset": _ruleset(body.game),
                "board": body.board,
            },
            "strategy": task.strategy,
            "limits": {
                "time": task.time,
                "depth": limits.depth,
                "nodes": limits.nodes,
                "threads": limits.threads,
            },
            "depths": self._depths,
            **self._result(result),
            "stop_reason": result.stop_reason,
            "evaluations": result.evaluations,
            "table_hits": result.table_hits,
            "table_fill": result.table_fill,
            "code_digest": task.code_digest,
            "choice_digest": task.choice_digest,
        }
        print(msgspec.json.encode(document).decode())

    def _result(self, result: Result) -> dict[str, Any]:
        return {
            "move": result.move.name.lower(),
            "score": result.score,
            "depth": result.depth,
            "nodes": result.nodes,
            "elapsed": result.elapsed,
            "root_moves": [_root_move(root_move) for root_move in result.root_moves],
            "principal_variation": [self._joint_move(joint) for joint in result.principal_variation],
        }

    def _joint_move(self, joint: JointMove) -> dict[str, dict[str, str]]:
        pairs = zip(self._ids, joint, strict=True)
        return {"moves": {id_: move.name.lower() for id_, move in pairs if move is not None}}


def _ruleset(game: Game) -> dict[str, Any]:
    settings = game.ruleset.settings
    return {
        "name": game.ruleset.name,
        "map": game.map,
        "settings": {
            "hazard_damage_per_turn": settings.hazard_damage_per_turn,
            "shrink_every_n_turns": settings.royale.shrink_every_n_turns,
        },
    }


def _root_move(root_move: RootMove) -> dict[str, Any]:
    return {
        "move": root_move.move.name.lower(),
        "score": root_move.score,
        "depth": root_move.depth,
        "outcome": root_move.outcome,
    }
