"""A match from its first block to its verdict.

Blocks end in any order, but are judged in that of their numbers, each only when all before it have ended:
so a test's verdict does not favour short games, and does not depend on how many workers there are.
"""

from contextlib import closing
from enum import Enum
from typing import Protocol

from arena.games.openings import Book
from arena.matches.standing import Standing
from arena.matches.summary import sprt_decision
from arena.matches.workers import Workers
from arena.records.files import MatchFile
from arena.records.model import Block, Setup


class MatchEnd(Enum):
    """Why a match ended."""

    PLAYED = "all games are played"
    DECIDED = "the test is decided"
    STRICT = "a fault, and the match is strict"


class MatchObserver(Protocol):
    """Sees a match go on."""

    def block_ended(self, standing: Standing, ended: int) -> None:
        """After each block: the standing by all that can be judged, and how many blocks have ended."""


def play_match(
    setup: Setup, book: Book | None, workers: Workers, file: MatchFile, observer: MatchObserver
) -> tuple[Standing, MatchEnd]:
    """Plays what the file does not have yet, until the test is decided or all blocks are played.

    Every block is in the file when its end is told; when the match ends the file holds just what was judged.
    Raises WorkersLostError, OSError from the file; what was played until then is in it.
    """
    judge, ended = _Judge(setup), set()
    for block in file.earlier():
        ended.add(block.number)
        judge.hear(block)
    observer.block_ended(judge.standing, len(ended))
    left = [number for number in range(setup.blocks) if number not in ended]
    with closing(workers.play(setup, book, left if judge.end is None else [])) as blocks:
        while judge.end is None:
            block = next(blocks)
            file.append(block)
            ended.add(block.number)
            judge.hear(block)
            observer.block_ended(judge.standing, len(ended))
    file.finish(judge.standing.blocks)
    return judge.standing, judge.end


class _Judge:
    """Takes blocks in any order, adds them to the standing in their own until the match has ended."""

    def __init__(self, setup: Setup) -> None:
        self.standing = Standing(setup)
        self.end: MatchEnd | None = None if setup.blocks else MatchEnd.PLAYED
        self._setup = setup
        self._waiting: dict[int, Block] = {}

    def hear(self, block: Block) -> None:
        """A block has ended."""
        self._waiting[block.number] = block
        while self.end is None and self.standing.blocks in self._waiting:
            judged = self._waiting.pop(self.standing.blocks)
            self.standing.add(judged)
            self.end = self._end_after(judged)

    def _end_after(self, block: Block) -> MatchEnd | None:
        if any(game.ending == "strict" for game in block.games):
            return MatchEnd.STRICT
        if sprt_decision(self.standing) != "undecided":
            return MatchEnd.DECIDED
        return MatchEnd.PLAYED if self.standing.blocks >= self._setup.blocks else None
