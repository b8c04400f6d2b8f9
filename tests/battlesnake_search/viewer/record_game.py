"""Makes the recorded game of these tests: a game of the official engine, with searches of one snake's turns.

Usage: python -m tests.battlesnake_search.viewer.record_game GAME.jsonl.gz SNAKE'S_NAME FILE.json.gz
"""

import gzip
import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.positions.move_body import MoveBody, position_in
from searcher.session import SearchSession
from searcher.strategies import parse_strategy

STRATEGY = "crowd/hungry"
LIMITS = Limits(nodes=20_000)
_SECONDS = 60.0
_BUDGET = 440.0
_COLOURS = ("#900050", "#1767c2", "#60a030", "#e0a800")

Json = dict[str, Any]


def main(source: Path, name: str, target: Path) -> None:
    """Write the game of a file of the official engine as the viewer reads it."""
    lines = [json.loads(line) for line in gzip.decompress(source.read_bytes()).splitlines()]
    bodies, end = lines[1:-1], lines[-1]
    snakes = bodies[0]["board"]["snakes"]
    ids = [snake["id"] for snake in snakes]
    turns = [_turn(body, ids) for body in bodies]
    for before, after in pairwise(turns):
        after["deaths"] = _deaths(before, after)
    ours = [snake["name"] for snake in snakes].index(name)
    session = SearchSession()
    for body, turn in zip(bodies[:-1], turns[:-1], strict=True):
        if turn["snakes"][ours]:
            turn["decisions"][ours] = _decision(session, body, ids, ours)
    game = {
        "id": lines[0]["id"],
        "source": "recorded",
        "over": True,
        "ruleset": "standard",
        "map": "standard",
        "width": bodies[0]["board"]["width"],
        "height": bodies[0]["board"]["height"],
        "timeout_ms": 500,
        "started_at": "2026-11-20T18:30:00Z",
        "snakes": [_look(snake, index, index == ours) for index, snake in enumerate(snakes)],
        "result": {
            "winner": ids.index(end["winnerId"]) if end["winnerId"] else None,
            "turns": len(turns) - 1,
        },
        "turns": turns,
    }
    target.write_bytes(gzip.compress(json.dumps(game, separators=(",", ":")).encode(), mtime=0))


def _look(snake: Json, index: int, ours: bool) -> Json:
    looks = {"id": snake["id"], "name": snake["name"], "color": _COLOURS[index % 4], "head": "default"}
    plays = {"strategy": STRATEGY if ours else "", "experiment": "", "arm": ""}
    return looks | {"tail": "default", "ours": ours} | plays


def _cells(points: list[dict[str, int]]) -> list[list[int]]:
    return [[point["x"], point["y"]] for point in points]


def _turn(body: Json, ids: list[str]) -> Json:
    board = body["board"]
    alive = {snake["id"]: snake for snake in board["snakes"]}
    snakes = [
        {"body": _cells(alive[each]["body"]), "health": alive[each]["health"]} if each in alive else None
        for each in ids
    ]
    food, hazards = _cells(board["food"]), _cells(board["hazards"])
    empty = {"deaths": [], "decisions": [None] * len(ids)}
    return {"turn": body["turn"], "food": food, "hazards": hazards, "snakes": snakes} | empty


def _deaths(before: Json, after: Json) -> list[Json]:
    pairs = enumerate(zip(before["snakes"], after["snakes"], strict=True))
    died = [(index, was) for index, (was, now) in pairs if was and not now]
    return [{"snake": index, "cause": _cause(was), "by": None} for index, was in died]


def _cause(last: Json) -> str:
    """Return the only cause that the last board shows; the engine's output does not name any."""
    return "out-of-health" if last["health"] == 1 else "snake-collision"


def _decision(session: SearchSession, body: Json, ids: list[str], ours: int) -> Json:
    you = next(snake for snake in body["board"]["snakes"] if snake["id"] == ids[ours])
    position = position_in(msgspec.convert(body | {"you": you}, MoveBody, strict=False))
    clock = Clock(time.monotonic() + _SECONDS)
    result = session.search(position, parse_strategy(STRATEGY), LIMITS, clock)
    return _reported(position, result, ids)


def _reported(position: Position, result: Result, ids: list[str]) -> Json:
    order = [snake.id for snake in position.snakes]
    best = result.root_moves[0]
    milliseconds = round(result.elapsed * 1000, 1)
    return {
        "move": result.move.name.lower(),
        "source": "search",
        "late": milliseconds > _BUDGET,
        "strategy": STRATEGY,
        "depth": result.depth,
        "nodes": result.nodes,
        "evaluations": result.evaluations,
        "score": result.score,
        "outcome": _outcome(best),
        "time_ms": milliseconds,
        "budget_ms": _BUDGET,
        "left_ms": round(_BUDGET - milliseconds, 1),
        "stop": result.stop_reason.value if result.stop_reason else None,
        "moves": [
            {"move": each.move.name.lower(), "score": each.score, "depth": each.depth}
            | {"outcome": _outcome(each), "exact": each is best}
            for each in result.root_moves
        ],
        "pv": [
            [_word(dict(zip(order, joint, strict=True)).get(each)) for each in ids]
            for joint in result.principal_variation
        ],
    }


def _word(move: Any) -> str | None:
    return None if move is None else move.name.lower()


def _outcome(move: Any) -> Json | None:
    return move.outcome and {"kind": move.outcome.kind.value, "turns": move.outcome.turns}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
