"""Workers that play blocks in processes of this machine.

A process that dies is replaced, and its block is played again.
"""

import multiprocessing
from collections.abc import Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

from arena.games.openings import Book
from arena.matches.block import play_block
from arena.records.model import Block, Setup
from searcher.precompile.children import end_with_parent, uninterrupted

_MOST_DEATHS = 5
"""How many times in a row workers may die before any block has ended."""


class WorkersLostError(Exception):
    """Raised when workers die again and again."""


class Workers(Protocol):
    """Plays blocks in parallel."""

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """Yield the blocks of these numbers as they end; closing the generator drops all other blocks.

        Raises WorkersLostError if no worker can play.
        """


class LocalWorkers:
    """Worker processes on this machine, each of which plays one game at a time."""

    def __init__(self, processes: int) -> None:
        self._processes = processes

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks as they end, as Workers requires."""
        waiting, deaths = list(reversed(numbers)), 0
        while waiting:
            played = 0
            try:
                for block in self._play(setup, book, waiting):
                    played += 1
                    yield block
            except BrokenProcessPool:
                deaths = 0 if played else deaths + 1
                if deaths == _MOST_DEATHS:
                    raise WorkersLostError(f"worker processes died {deaths} times in a row") from None

    def _play(self, setup: Setup, book: Book | None, waiting: list[int]) -> Generator[Block]:
        """Play the waiting blocks, last first; when a worker dies, its blocks wait again."""
        running: dict[Future[Block], int] = {}
        pool = ProcessPoolExecutor(
            self._processes, multiprocessing.get_context("spawn"), initializer=end_with_parent
        )
        try:
            while waiting or running:
                while waiting and len(running) < self._processes:
                    number = waiting.pop()
                    with uninterrupted():
                        running[pool.submit(play_block, setup, book, number)] = number
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    block = future.result()
                    del running[future]
                    yield block
        finally:
            waiting += sorted(running.values(), reverse=True)
            pool.shutdown(wait=False, cancel_futures=True)
            # The blocks that are still being played are not needed.
            for process in multiprocessing.active_children():
                process.kill()
