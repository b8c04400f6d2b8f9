"""Blocks, and the worker processes that play them."""

import multiprocessing
import os
import signal
import time
from contextlib import closing

import pytest

from arena.matches.schedule import games_in_block
from arena.matches.workers import LocalWorkers, WorkersLostError, play_block
from tests.arena.setups import setup_of, timeless


def test_a_block_repeats_at_fixed_nodes() -> None:
    """The same number gives the same games, another number other games."""
    setup = setup_of("paranoid/area", "paranoid/length")
    assert timeless(play_block(setup, 1)) == timeless(play_block(setup, 1))
    assert timeless(play_block(setup, 1))["games"] != timeless(play_block(setup, 2))["games"]


def test_a_strict_block_ends_with_its_first_fault() -> None:
    """The second game is not played, since nobody listens at the second entrant's target."""
    setup = setup_of("paranoid/area", "127.0.0.1:9", strict=True)
    block = play_block(setup, 0)
    assert [game.ending for game in block.games] == ["strict"]
    assert games_in_block(setup) == 2


SETUP = setup_of("paranoid/area", "paranoid/length")

GENEROUS = 30.0
"""Seconds in which killed processes are gone, on any machine."""


def kill_one() -> None:
    """Kill a worker with SIGKILL, as the kernel does when memory is short."""
    pid = multiprocessing.active_children()[0].pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)


def test_processes_play_the_same_blocks() -> None:
    """Every block comes once, and is the same as in this process."""
    blocks = {block.number: block for block in LocalWorkers(2).play(SETUP, range(5))}
    assert sorted(blocks) == [0, 1, 2, 3, 4]
    assert timeless(blocks[3]) == timeless(play_block(SETUP, 3))


@pytest.mark.rest("killed processes")
def test_a_dead_process_is_replaced() -> None:
    """The block of a dead process is played again; every block comes once."""
    numbers = []
    for block in LocalWorkers(2).play(SETUP, range(8)):
        numbers.append(block.number)
        if len(numbers) in (1, 4):
            kill_one()
    assert sorted(numbers) == list(range(8))


def die(*_: object) -> None:
    """Die as a worker that begins."""
    os.abort()


@pytest.mark.rest("killed processes")
def test_a_match_with_dying_workers_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """A match does not go on forever without a block."""
    monkeypatch.setattr("arena.matches.workers._begin", die)
    with pytest.raises(WorkersLostError, match="died 5 times in a row"):
        list(LocalWorkers(1).play(SETUP, range(2)))


def test_leaving_early_leaves_no_process() -> None:
    """Blocks that are still being played are dropped at once; processes of others go on."""
    other = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(GENEROUS * 2,))
    other.start()
    with closing(LocalWorkers(2).play(SETUP, range(50))) as blocks:
        next(blocks)
        assert multiprocessing.active_children()
    deadline = time.monotonic() + GENEROUS
    while len(multiprocessing.active_children()) > 1 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert multiprocessing.active_children() == [other]
    other.kill()
    other.join()
