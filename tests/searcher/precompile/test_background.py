"""The code that a searcher compiles in the background, in a cache of its own."""

from pathlib import Path

from tests.searcher.command_line import run

SERVE = """
import multiprocessing
import os
import sys
import threading
import time

sys.path.insert(0, "")

from searcher.engine.jit.code_cache import CACHE
from searcher.errors import UnavailableError
from searcher.precompile import children, warmup
from searcher.strategies import strategy_of
from tests.searcher.own_rules import position_with
from tests.searcher.precompile.cheap_parts import AHEAD


def evaluate(size):
    duel = position_with(2, "standard", size, size)
    try:
        print("served", len(offered.evaluate(duel, strategy_of("paranoid", "length"))))
    except UnavailableError as error:
        print(error)


def progress(label, done, total):
    if label.startswith("compiled"):
        print(label)
    if label == f"compiled {AHEAD[1].units[0]}":
        evaluate(25)
        evaluate(11)
    if done == total:
        finished.release()


def wait():
    assert finished.acquire(timeout=120)
    while multiprocessing.active_children():
        time.sleep(0.01)
    print(len(list(CACHE.glob("*.so"))), "functions")


if __name__ == "__main__":
    # With one child, the order of the labels is the order of the codes.
    children.available_cores = lambda: 1
    warmup._NICENESS = 0
    warmup.first_codes = lambda: AHEAD[:1]
    warmup.ahead_codes = lambda only: AHEAD
    finished = threading.Semaphore(0)
    offered = warmup.CompiledStrategies()
    offered.warm_up(progress)
    assert finished.acquire(timeout=120)
    wait()
    evaluate(25)
    evaluate(19)
    wait()
    offered.close()
    print("closed", offered._background.is_alive(), multiprocessing.active_children())
"""
"""A script for a file, because child processes import it again."""

AHEAD_AND_WANTED = """
compiled the evaluator length for 8 snakes on 11x11
compiled the evaluator length for 8 snakes on 19x21
still compiling the evaluator length for 8 snakes on 25x25: 0 s so far, 1 of 1 functions left
served 2
compiled the evaluator length for 2 snakes on 11x11
compiled the evaluator length for 8 snakes on 25x25
compiled the evaluator length for 4 snakes on 11x11
5 functions
"""
"""A search for 25x25 is refused. A search for 11x11 uses a larger shape. Their code is compiled next."""

WANTED_LATER = """
served 2
served 2
compiled the evaluator length for 4 snakes on 19x21
6 functions
closed False []
"""
"""The refused search is served. Without child processes, the thread waits for the next search."""


def test_code_that_searches_need_is_compiled_and_nothing_else(tmp_path: Path) -> None:
    """The code of refused searches comes before the code that is compiled ahead."""
    script = tmp_path / "serve.py"
    script.write_text(SERVE)
    done = run(str(script), cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert done.stdout == AHEAD_AND_WANTED.lstrip() + WANTED_LATER.lstrip()
