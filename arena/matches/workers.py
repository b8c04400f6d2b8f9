"""Who plays the blocks: processes of this machine.

A process that dies is replaced, and what it played is played again.
"""

import multiprocessing
import signal
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Protocol

from arena.games.openings import Book
from arena.matches.block import play_block
from arena.records.model import Block, Setup
from searcher.precompile.children import end_with_parent

_MOST_DEATHS = 5
"""Times in a row that workers may die without a block having ended."""


class WorkersLostError(Exception):
    """Workers die again and again."""


class Workers(Protocol):
    """Plays blocks side by side."""

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """The blocks of these numbers, as they end; those not yet begun are dropped when it is closed.

        Raises WorkersLostError when no worker can play.
        """


class LocalWorkers:
    """Processes of this machine, one game at a time in each."""

    def __init__(self, processes: int) -> None:
        self._processes = processes

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """As Workers say."""
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
        """Plays what waits, last first; when a worker dies, what had begun waits again."""
        running: dict[Future[Block], int] = {}
        pool = ProcessPoolExecutor(
            self._processes, multiprocessing.get_context("spawn"), initializer=end_with_parent
        )
        try:
            while waiting or running:
                while waiting and len(running) < self._processes:
                    number = waiting.pop()
                    with _uninterrupted():
                        running[pool.submit(play_block, setup, book, number)] = number
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    block = future.result()
                    del running[future]
                    yield block
        finally:
            waiting += sorted(running.values(), reverse=True)
            pool.shutdown(wait=False, cancel_futures=True)
            # What they still play is not needed any more.
            for process in multiprocessing.active_children():
                process.kill()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ctrl-C waits meanwhile, and for ever in processes begun here: the match ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
