"""The blocks of a match played on a Ray cluster; needs the extra `ray`."""

import logging
from collections.abc import Generator, Sequence

import ray
from ray.exceptions import RayError

from arena.games.openings import Book
from arena.matches.block import play_block
from arena.matches.workers import WorkersLostError
from arena.records.model import Block, Setup

_RETRIES = 5
"""Times that a block is played again when its worker dies."""


class RayWorkers:
    """Tasks on a cluster; the project has to be installed on its machines."""

    def __init__(self, address: str, most: int | None) -> None:
        """Connects, to use at most so many cores. Raises ConnectionError when there is no cluster."""
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._most = most

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """As arena.matches.workers.Workers say."""
        # One task for each core: a search is what takes time.
        task = ray.remote(num_cpus=1, max_retries=_RETRIES)(play_block)
        waiting = list(reversed(numbers))
        running: list[ray.ObjectRef[Block]] = []
        try:
            while waiting or running:
                room = min(_cores(), self._most or _cores()) - len(running)
                running += [task.remote(setup, book, waiting.pop()) for _ in range(min(room, len(waiting)))]
                done, running = ray.wait(running)
                yield from ray.get(done)
        except RayError as error:
            raise WorkersLostError(str(error)) from None
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _cores() -> int:
    """The cluster's cores now: machines may come and go."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
