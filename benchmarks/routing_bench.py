"""The time it takes to route a /move: python -m benchmarks.routing_bench [ROUTES_FILE].

Routing leads from a decoded request to a plan for its searchers: the snake of the path, the draw of the arm,
the conditions and the headers of the call.
"""

import sys
import time
from pathlib import Path
from statistics import median, quantiles

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from gateway.routes import loading
from gateway.routes.config import Routes
from gateway.routes.draw import choose_arm

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "routes.example.toml"
BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"
GAMES = 20_000

LIMIT = 100
"""Microseconds that routing may take."""


def route(loaded: Routes, path: str, turn: Turn) -> Plan:
    """Route a move as a gateway does."""
    snake = loaded.snake(path)
    assert snake is not None
    plan = choose_arm(loaded, snake, turn, "").arm.plan(turn)
    assert plan.metadata
    return plan


def microseconds(loaded: Routes, path: str) -> list[float]:
    """Return the time of routing a move in each of GAMES games."""
    turn = decode(BODY.read_bytes())
    times = []
    for number in range(GAMES):
        game = msgspec.structs.replace(turn.game, id=f"{turn.game.id}-{number}")
        played = msgspec.structs.replace(turn, game=game)
        begin = time.perf_counter_ns()
        route(loaded, path, played)
        times.append((time.perf_counter_ns() - begin) / 1000)
    return times


def main() -> None:
    """Print the figures for each snake of a routes file, by default of the example."""
    file = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE
    loaded = loading.load(file, "")
    print(f"{file.name}: microseconds to route a move, {GAMES} games each")
    for snake in loaded.snakes:
        times = microseconds(loaded, snake.path)
        p99 = quantiles(times, n=100)[-1]
        print(f"  {snake.path:<20} median {median(times):6.1f}   p99 {p99:6.1f}   limit {LIMIT}")


if __name__ == "__main__":
    main()
