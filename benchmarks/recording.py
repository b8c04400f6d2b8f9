"""The cost of recording games: python -m benchmarks.recording [GAMES].

It measures the time of the events in the handler of a /move, their time in the event loop after the request,
and the memory of the games. It plays one game of four snakes again and again.
"""

import asyncio
import gc
import gzip
import json
import resource
import sys
import time
from array import array
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import msgspec

from battlesnake_search import translate
from battlesnake_search.board import Turn
from battlesnake_search.contract import search_pb2
from battlesnake_search.reader import decode
from gateway.game.events import Answered, Asked, Ended, Events
from gateway.game.game import Game
from gateway.game.outcome import outcome_of
from gateway.metrics import Metrics
from gateway.play.player import Answer, Source
from gateway.routes.config import default_snake
from gateway.routes.draw import Choice
from gateway.store.feed import Feed
from gateway.store.memory import Memory
from gateway.store.recorder import GameRecorder

GAME = Path(__file__).parents[1] / "tests" / "fixtures" / "console" / "four.json.gz"
GAMES = 1000

LIMIT = 100.0
"""Microseconds by which recording may delay a move, in the median."""

MEMORY = 64.0
"""Megabytes that a thousand games may take."""

Json = dict[str, Any]
Move = tuple[Turn, Answer]


def main() -> None:
    """Print the figures."""
    asyncio.run(_measure(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES))


async def _measure(games: int) -> None:
    moves = _moves(json.loads(gzip.decompress(GAME.read_bytes())))
    snake = default_snake("", None)
    choice = Choice(snake, snake.arms[0])
    recorder = GameRecorder(Memory(games), Feed(), Metrics().records, lambda _row: None)
    events = Events([recorder.take])
    gc.collect()
    before = _resident()
    on_path, after = array("d"), array("d")
    for number in range(games):
        for turn, answer in moves:
            played = msgspec.structs.replace(turn, game=msgspec.structs.replace(turn.game, id=str(number)))
            begin = time.perf_counter_ns()
            events.publish(Asked(played, choice))
            events.publish(Answered(played, choice, answer))
            on_path.append((time.perf_counter_ns() - begin) / 1000)
            begin = time.thread_time_ns()
            while events._waiting:
                events._pass_on()
            after.append((time.thread_time_ns() - begin) / 1000)
        recorder.take(Ended(played, choice, outcome_of(Game(played), played, choice)[0]))
    size = sum(game.size for game in recorder._memory) / 1e6
    print(f"{len(recorder._memory)} of {games} games of {len(moves)} moves are kept")
    print(f"  a move waits for it  {_figures(on_path)} microseconds; limit {LIMIT:.0f} in the median")
    print(f"  the loop after it    {_figures(after)} microseconds of CPU time")
    print(f"  records {size:.1f} MB, resident memory {_resident() - before:+.1f} MB; limit {MEMORY:.0f}")


def _figures(times: "array[float]") -> str:
    return f"median {median(times):7.1f}   p99 {quantiles(times, n=100)[-1]:7.1f}"


def _resident() -> float:
    """Return the megabytes of memory that the process uses now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 1e6


def _moves(game: Json) -> list[Move]:
    """Return the turns in which our snake decides, as the gateway receives and answers them."""
    ours = next(index for index, snake in enumerate(game["snakes"]) if snake["ours"])
    decided = [turn for turn in game["turns"] if turn["decisions"][ours]]
    return [(_turn(game, turn, ours), _answer(game, turn["decisions"][ours])) for turn in decided]


def _turn(game: Json, turn: Json, ours: int) -> Turn:
    snakes = [
        {"id": about["id"], "name": about["name"], "health": snake["health"], "body": _points(snake["body"])}
        for about, snake in zip(game["snakes"], turn["snakes"], strict=True)
        if snake
    ]
    you = next(snake for snake in snakes if snake["id"] == game["snakes"][ours]["id"])
    board = {
        "width": game["width"],
        "height": game["height"],
        "snakes": snakes,
        "food": _points(turn["food"]),
    }
    body = {"game": {"id": game["id"], "timeout": 500}, "turn": turn["turn"], "board": board, "you": you}
    return decode(msgspec.json.encode(body))


def _points(cells: list[list[int]]) -> list[Json]:
    return [{"x": x, "y": y} for x, y in cells]


def _answer(game: Json, decision: Json) -> Answer:
    result = search_pb2.SearchResult(
        move=_direction(decision["move"]),
        score=decision["score"],
        depth=decision["depth"],
        nodes=decision["nodes"],
        evaluations=decision["evaluations"],
        stop_reason=search_pb2.STOP_REASON_DEADLINE,
        strategy=search_pb2.Strategy(search="crowd", evaluator="hungry"),
        root_moves=[
            search_pb2.RootMove(move=_direction(each["move"]), score=each["score"], depth=each["depth"])
            for each in decision["moves"]
        ],
        principal_variation=[search_pb2.JointMove(moves=_joint(game, joint)) for joint in decision["pv"]],
    )
    found = translate.move_result(result)
    return Answer(decision["move"], Source.SEARCH, 0.4, 0.1, found, (), False, budget=0.44)


def _joint(game: Json, joint: list[str | None]) -> dict[str, search_pb2.Direction]:
    named = zip(game["snakes"], joint, strict=True)
    return {snake["id"]: _direction(move) for snake, move in named if move}


def _direction(move: str) -> search_pb2.Direction:
    [direction] = translate.directions([move])
    return direction


if __name__ == "__main__":
    main()
