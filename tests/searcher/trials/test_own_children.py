"""Child processes of an owner."""

import multiprocessing
import time

from searcher.precompile.warmup import CompiledStrategies
from searcher.trials.own_children import OwnChildren

LONG = 60.0
"""Seconds that a child would run."""


def test_only_own_children_are_killed() -> None:
    """Children of others go on; so they do when a searcher in the same process ends its own."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(LONG,))
    children = OwnChildren()
    own, idle = (children.Process(target=time.sleep, args=(LONG,)) for _ in range(2))
    for process in (other, own):
        process.start()
    try:
        children.kill()
        own.join()
        CompiledStrategies().close()
        assert idle.ident is None and other.is_alive()
    finally:
        other.kill()
        other.join()
