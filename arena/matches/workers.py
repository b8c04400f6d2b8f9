"""Blocks of games, and the worker processes of this machine that play them.

A block is the smallest fair unit of a match, determined by its number. It has one start and one seed, and
plays every seating of its entrants once. For two entrants this is a pair of games with swapped starts, and
for more a cyclic rotation. A worker process that dies is replaced, and its job is done again.
"""

import asyncio
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Protocol, TypeVar

from arena.games import boards
from arena.games.entrants import make_player
from arena.games.game import play_game
from arena.matches.schedule import block_seed, seatings
from arena.records import Block, Game, Setup
from battlesnake_search.common.logs import silence
from searcher.precompile.children import end_with_parent, uninterrupted
from searcher.trials.own_children import OwnChildren

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles


def play_block(setup: Setup, number: int, credentials: "CredentialFiles | None" = None) -> Block:
    """Play a block. With limits other than time, the same arguments give the same games.

    Raises OSError or ValueError if the credentials of gRPC targets are invalid.
    """
    started = perf_counter()
    games = asyncio.run(_play(setup, number, credentials))
    return Block(number, games, round((perf_counter() - started) * 1000, 1))


async def _play(setup: Setup, number: int, credentials: "CredentialFiles | None") -> tuple[Game, ...]:
    seed = block_seed(setup, number)
    start = boards.set_up_board(setup.rules, setup.snakes, seed)
    players = [make_player(entrant, credentials) for entrant in setup.entrants]
    games = []
    try:
        for index, seats in enumerate(seatings(setup, number)):
            name = f"{setup.seed}-{number}-{index}"
            game = await play_game(setup, players, start, seats, seed, name)
            games.append(game)
            if game.ending == "strict":
                break
    finally:
        await asyncio.gather(*(player.close() for player in players))
    return tuple(games)


_T = TypeVar("_T")

_MOST_DEATHS = 5
"""The most workers that may die one after another before a job ends."""


class WorkersLostError(Exception):
    """Raised when workers die again and again."""


class Workers(Protocol):
    """Plays blocks in parallel."""

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield each block of these numbers when it ends. Closing the generator drops the other blocks.

        Raises WorkersLostError if no worker can play.
        """


class LocalWorkers:
    """Worker processes on this machine. Each process does one job at a time.

    Each process reads the files of `credentials`, for gRPC targets.
    """

    def __init__(self, processes: int, credentials: "CredentialFiles | None" = None) -> None:
        self.processes = processes
        self.credentials = credentials

    def play(self, setup: Setup, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks as they end, as Workers requires."""
        return self.run(partial(play_block, setup, credentials=self.credentials), numbers)

    def run(self, job: Callable[[int], _T], numbers: Sequence[int]) -> Generator[_T]:
        """Yield the job's result for each number when it is known. Closing the generator ends other jobs.

        The job is pickled. Raises WorkersLostError if no worker can do the job, and the errors of the job
        itself.
        """
        waiting, deaths = list(reversed(numbers)), 0
        while waiting:
            done = 0
            try:
                for result in self._run(job, waiting):
                    done += 1
                    yield result
            except BrokenProcessPool:
                deaths = 0 if done else deaths + 1
                if deaths == _MOST_DEATHS:
                    raise WorkersLostError(f"worker processes died {deaths} times in a row") from None

    def _run(self, job: Callable[[int], _T], waiting: list[int]) -> Generator[_T]:
        """Do the waiting jobs, the last one first. If a worker dies, its jobs become waiting jobs again."""
        running: dict[Future[_T], int] = {}
        children = OwnChildren()
        begin = partial(_begin, bool(self.credentials))
        pool = ProcessPoolExecutor(self.processes, children, initializer=begin)
        try:
            while waiting or running:
                while waiting and len(running) < self.processes:
                    number = waiting.pop()
                    with uninterrupted():
                        running[pool.submit(job, number)] = number
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    del running[future]
                    yield result
        finally:
            waiting += sorted(running.values(), reverse=True)
            # Kill them, because the match needs no results of the other jobs.
            children.kill()
            # Wait, because a pool that is still shutting down when the interpreter ends would print a
            # traceback. A second call would not wait.
            pool.shutdown(cancel_futures=True)


def _begin(quietly: bool) -> None:
    """Prepare a worker process. Quietly it logs nothing, as its parent warns of tokens sent without TLS."""
    if quietly:
        silence()
    end_with_parent()
