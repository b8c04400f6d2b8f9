"""A match from its first block to its end.

Blocks end in any order but are counted in the order of their numbers, each after all blocks before it. So the
decision of a test does not favour short games and does not depend on the number of workers.
"""

from contextlib import closing
from enum import Enum
from typing import Protocol

from arena.games.openings import Book
from arena.matches.standing import Standing
from arena.matches.workers import Workers
from arena.records import Block, MatchFile, Setup


class MatchEnd(Enum):
    """Why a match ended."""

    PLAYED = "all games are played"
    DECIDED = "the test is decided"
    STRICT = "a fault, and the match is strict"


class MatchObserver(Protocol):
    """Observes a match."""

    def block_ended(self, standing: Standing, ended: int) -> None:
        """Receive the standing by the blocks counted, and the number of blocks that have ended."""


def play_match(
    setup: Setup, book: Book | None, workers: Workers, file: MatchFile, observer: MatchObserver
) -> tuple[Standing, MatchEnd]:
    """Play the blocks that the file lacks, until the test is decided or all blocks are played.

    Each block is in the file before the observer is notified. When the match ends, the file has only
    the counted blocks. Raises WorkersLostError or the file's OSError; the file then has all blocks played
    before.
    """
    counter, ended = _BlockCounter(setup), set()
    for block in file.earlier():
        ended.add(block.number)
        counter.receive(block)
    observer.block_ended(counter.standing, len(ended))
    left = [number for number in range(setup.blocks) if number not in ended]
    with closing(workers.play(setup, book, left if counter.end is None else [])) as blocks:
        while counter.end is None:
            block = next(blocks)
            file.append(block)
            ended.add(block.number)
            counter.receive(block)
            observer.block_ended(counter.standing, len(ended))
    file.finish(counter.standing.blocks)
    return counter.standing, counter.end


class _BlockCounter:
    """Receives blocks in any order, and counts them in the order of their numbers until the match ends."""

    def __init__(self, setup: Setup) -> None:
        self.standing = Standing(setup)
        self.end: MatchEnd | None = None if setup.blocks else MatchEnd.PLAYED
        self._setup = setup
        self._waiting: dict[int, Block] = {}

    def receive(self, block: Block) -> None:
        """Receive a block that has ended."""
        self._waiting[block.number] = block
        while self.end is None and self.standing.blocks in self._waiting:
            counted = self._waiting.pop(self.standing.blocks)
            self.standing.add(counted)
            self.end = self._end_after(counted)

    def _end_after(self, block: Block) -> MatchEnd | None:
        if any(game.ending == "strict" for game in block.games):
            return MatchEnd.STRICT
        if self.standing.sprt_decision != "undecided":
            return MatchEnd.DECIDED
        return MatchEnd.PLAYED if self.standing.blocks >= self._setup.blocks else None
