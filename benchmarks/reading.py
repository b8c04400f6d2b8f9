"""The time from a body to the position that a search gets: python -m benchmarks.reading.

The bodies are of a recorded game of four snakes: as the platform sends them, and with nulls that need
corrections.
"""

import gzip
import json
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from battlesnake_search.living import Seen, see, without_dead
from battlesnake_search.reader import read
from battlesnake_search.searchable import searchable

GAME = Path(__file__).parents[1] / "tests" / "fixtures" / "platform" / "standard.jsonl.gz"
REPEATS = 200


def _bodies() -> list[dict[str, Any]]:
    lines = gzip.decompress(GAME.read_bytes()).splitlines()
    return [each["body"] for each in map(json.loads, lines) if each["path"] == "move"]


def _mistaken(body: dict[str, Any]) -> dict[str, Any]:
    """Return a body with nulls in place of fields that an engine leaves out."""
    settings = body["game"]["ruleset"]["settings"] | {"royale": None}
    ruleset = body["game"]["ruleset"] | {"settings": settings}
    return body | {"game": body["game"] | {"ruleset": ruleset, "map": None}}


def _microseconds(work: Callable[[], object]) -> float:
    """Return the median time of a call, in microseconds."""
    times = []
    for _ in range(REPEATS):
        began = time.perf_counter_ns()
        work()
        times.append(time.perf_counter_ns() - began)
    return median(times) / 1000


def _times(first: bytes, second: bytes) -> tuple[float, float, float]:
    """Return the microseconds of each step for the second of two bodies."""
    before: Seen = see(read(first).turn)
    turn = read(second).turn
    living = without_dead(turn, see(turn, before))
    return (
        _microseconds(lambda: read(second)),
        _microseconds(lambda: without_dead(turn, see(turn, before))),
        _microseconds(lambda: searchable(living)),
    )


def main() -> None:
    """Print the median time of each step over the turns of the game."""
    bodies = _bodies()
    for name, change in (("as sent", lambda body: body), ("with nulls", _mistaken)):
        sent = [json.dumps(change(body)).encode() for body in bodies]
        columns = list(zip(*(_times(*pair) for pair in pairwise(sent)), strict=True))
        read_, living, fitted = (median(column) for column in columns)
        steps = f"read {read_:5.1f}  who lives {living:5.1f}  position {fitted:5.1f}"
        print(f"{name:<11} {steps}  together {read_ + living + fitted:5.1f} us")


if __name__ == "__main__":
    main()
