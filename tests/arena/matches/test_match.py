"""A match ends when it should, with the results of its blocks in the order of their numbers."""

from collections.abc import Generator, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from arena.games.openings import Book
from arena.matches.match import MatchEnd, play_match
from arena.matches.standing import Standing
from arena.matches.workers import play_block
from arena.records import Block, MatchFile, Setup, read_match
from arena.statistics.sprt import Sprt
from tests.arena.setups import RecordingObserver, setup_of, timeless_lines


class InOrder:
    """Workers that play at once, in a given order."""

    def __init__(self, order: Sequence[int] = ()) -> None:
        self._order = order
        self.played: list[int] = []

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """Yield blocks, as arena.matches.workers.Workers requires."""
        for number in [*self._order, *sorted(set(numbers) - set(self._order))]:
            if number in numbers:
                self.played.append(number)
                yield play_block(setup, book, number)


class Killed(InOrder):
    """Workers whose match is interrupted after some blocks."""

    def __init__(self, order: Sequence[int], after: int) -> None:
        super().__init__(order)
        self._after = after

    def play(self, setup: Setup, book: Book | None, numbers: Sequence[int]) -> Generator[Block]:
        """Yield some blocks, then raise KeyboardInterrupt."""
        for block in super().play(setup, book, numbers):
            if len(self.played) > self._after:
                raise KeyboardInterrupt
            yield block


def run(setup: Setup, path: Path, workers: InOrder, resume: bool = False) -> tuple[Standing, MatchEnd]:
    """Play a match into a file."""
    with closing(MatchFile(path, setup, resume)) as file:
        return play_match(setup, None, workers, file, RecordingObserver())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The path of a match's file."""
    return tmp_path / "match.jsonl"


def test_all_blocks_are_played(path: Path) -> None:
    """Without a test the match ends when all blocks are played."""
    standing, end = run(setup_of("paranoid/area", "paranoid/length", blocks=4), path, InOrder())
    assert (standing.blocks, standing.games, end) == (4, 8, MatchEnd.PLAYED)
    assert [block.number for block in read_match(path).blocks] == [0, 1, 2, 3]


def test_a_match_of_no_blocks_ends(path: Path) -> None:
    """A match of no blocks ends at once."""
    standing, end = run(setup_of("paranoid/area", "paranoid/length", blocks=0), path, InOrder())
    assert (standing.games, end) == (0, MatchEnd.PLAYED)


def test_the_order_of_ends_does_not_matter(path: Path, tmp_path: Path) -> None:
    """Blocks that end out of order leave the same file."""
    setup = setup_of("paranoid/area", "paranoid/length", blocks=5)
    run(setup, path, InOrder())
    other = tmp_path / "other.jsonl"
    run(setup, other, InOrder([3, 4, 1, 0, 2]))
    assert timeless_lines(path) == timeless_lines(other)


def test_blocks_are_counted_in_order(path: Path) -> None:
    """A block that ends early is counted when all blocks before it have ended."""
    setup, observer = setup_of("paranoid/area", "paranoid/length", blocks=3), RecordingObserver()
    play_match(setup, None, InOrder([2, 1, 0]), MatchFile(path, setup, False), observer)
    assert observer.ended == [0, 1, 2, 3]
    assert observer.counted == [0, 0, 0, 3]


def test_a_decided_test_ends_the_match(path: Path, tmp_path: Path) -> None:
    """Blocks played after the block that decided the test neither count nor stay in the file."""
    setup = setup_of("paranoid/area,nodes=200", "paranoid/length,nodes=20", blocks=200, test=Sprt(0, 200))
    workers = InOrder()
    standing, end = run(setup, path, workers)
    assert end is MatchEnd.DECIDED
    assert len(workers.played) == standing.blocks < 200
    ahead = tmp_path / "ahead.jsonl"
    run(setup, ahead, InOrder(range(standing.blocks + 3, -1, -1)))
    assert timeless_lines(path) == timeless_lines(ahead)


def test_a_strict_match_ends_at_a_fault(path: Path) -> None:
    """A strict match ends when nobody listens at the second entrant's target."""
    setup = setup_of("paranoid/area", "127.0.0.1:9", strict=True, blocks=4)
    standing, end = run(setup, path, InOrder())
    assert (standing.blocks, end) == (1, MatchEnd.STRICT)
    assert standing.faults[1, "crashed"] == 1


def test_a_void_match_ends(path: Path) -> None:
    """An entrant that never answers neither wins nor loses; its faults are counted."""
    standing, end = run(setup_of("paranoid/area", "127.0.0.1:9", blocks=2), path, InOrder())
    assert (standing.games, end) == (0, MatchEnd.PLAYED)
    assert standing.void == {"127.0.0.1:9 never answered": 4}
    assert standing.faults[1, "crashed"] == standing.decisions[1] > 0


@pytest.mark.parametrize("after", [0, 1, 3])
def test_an_interrupted_match_continues(path: Path, tmp_path: Path, after: int) -> None:
    """Nothing is lost or played again, and the end is that of an uninterrupted match."""
    setup = setup_of("paranoid/area", "paranoid/length", blocks=5)
    with pytest.raises(KeyboardInterrupt):
        run(setup, path, Killed([4, 0, 2], after))
    kept = [block.number for block in read_match(path).blocks]
    assert kept == sorted([4, 0, 2][:after])
    workers = InOrder()
    standing, _ = run(setup, path, workers, resume=True)
    assert sorted(workers.played + kept) == [0, 1, 2, 3, 4]
    whole = tmp_path / "whole.jsonl"
    expected, _ = run(setup, whole, InOrder())
    assert timeless_lines(path) == timeless_lines(whole)
    assert (standing.points, standing.faults) == (expected.points, expected.faults)


def test_an_ended_match_is_not_played_again(path: Path) -> None:
    """Resuming an ended match reports its end."""
    setup = setup_of("paranoid/area", "paranoid/length", blocks=2)
    first, _ = run(setup, path, InOrder())
    workers = InOrder()
    again, end = run(setup, path, workers, resume=True)
    assert (workers.played, end, again.points) == ([], MatchEnd.PLAYED, first.points)
