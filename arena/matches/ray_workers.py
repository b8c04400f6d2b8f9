"""Workers on a Ray cluster; needs the extra `ray`."""

import logging
from collections.abc import Generator, Sequence

import ray
from ray.exceptions import RayError

from arena.games.openings import Book
from arena.matches.block import play_block
from arena.matches.workers import WorkersLostError
from arena.records.model import Block, Setup

_RETRIES = 5
"""How many times a block is played again when its worker dies."""


class RayWorkers:
    """Tasks on a cluster whose machines have the project installed."""

    def __init__(self, address: str, most: int | None) -> None:
        """Connect, and use at most `most` cores. Raises ConnectionError if there is no cluster."""
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        self._most = most

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks as they end, as arena.matches.workers.Workers requires."""
        # One task for each core, since searches take nearly all of the time.
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
    """Return the cluster's current number of cores: machines may join and leave."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
