"""A match that is followed while it is played: only what its file has gained is read."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from arena.games.replay import prepare_replays
from arena.matches.standing import Standing
from arena.matches.summary import sprt_decision
from arena.records.files import Match, decoded_block, decoded_setup
from arena.records.model import Block, Setup
from arena.report.listing import game_entry
from arena.report.replays import Replay, replay_of

State = Literal["running", "stopped", "finished"]
"""finished: the test is decided, or all games are played. stopped: otherwise, after a long pause."""

MOST_GAMES = 1000
"""The newest games that are listed."""

STILL_AFTER = 300.0
"""Seconds after which a match whose file does not change counts as stopped."""


class UnknownFileError(LookupError):
    """There is no such match, page or game."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a block lies in the file, in bytes."""

    start: int
    length: int


class FollowedMatch:
    """The match in a file. `update` reads what is new; everything else is as of the last update."""

    setup: Setup
    standing: Standing

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = (0, 0)
        self._prepared = False
        self._forget()

    def _forget(self) -> None:
        self._read = 0
        self._places: dict[int, _Place] = {}
        self.games: list[dict[str, Any]] = []
        """The newest games, as the picker of the viewer lists them."""

    def update(self) -> None:
        """Read the blocks that the file has gained, or all of it if it was replaced.

        Raises ValueError, naming the place, if the file holds no match, and OSError if it can't be read.
        """
        with self._path.open("rb") as file:
            status = self._path.stat()
            if (status.st_dev, status.st_ino) != self._file or status.st_size < self._read:
                self._forget()
                self._file = status.st_dev, status.st_ino
            file.seek(self._read)
            for line in file:
                # A running match may have written only a part of its last line.
                if not line.endswith(b"\n"):
                    break
                self._add(line)
                self._read += len(line)
        if not self._read:
            raise ValueError(f"{self._path.name}: the file has no whole line")
        self.changed_at = status.st_mtime

    def _add(self, line: bytes) -> None:
        name = f"{self._path.name}, byte {self._read}"
        if not self._read:
            self.setup = decoded_setup(line, name)
            self.standing = Standing(self.setup)
            return
        block = decoded_block(line, name)
        self._places[block.number] = _Place(self._read, len(line))
        self.standing.add(block)
        self.games += [
            game_entry(self.setup, f"{block.number}.{number}", game)
            for number, game in enumerate(block.games, 1)
        ]
        del self.games[:-MOST_GAMES]

    @property
    def version(self) -> str:
        """What changes whenever the match does."""
        return f"{self._file[1]}-{self._read}-{self.state}"

    @property
    def state(self) -> State:
        """Whether the match is being played."""
        if sprt_decision(self.standing) != "undecided" or self.standing.blocks >= self.setup.blocks:
            return "finished"
        return "running" if time.time() - self.changed_at < STILL_AFTER else "stopped"

    def replay(self, key: str) -> Replay:
        """Return the replay of a game, whose key is that of its entry in `games`.

        Raises UnknownFileError if there is none, and ValueError if the record contradicts the rules.
        """
        number, _, game = key.partition(".")
        block = self._block(int(number)) if number.isdecimal() else None
        if block is None or not game.isdecimal() or not 1 <= int(game) <= len(block.games):
            raise UnknownFileError(f"there is no game {key} in {self._path.name}")
        found = block.games[int(game) - 1]
        if not self._prepared:
            prepare_replays(Match(self.setup, (block,)))
            self._prepared = True
        return replay_of(self.setup.rules, found)

    def _block(self, number: int) -> Block | None:
        place = self._places.get(number)
        if place is None:
            return None
        with self._path.open("rb") as file:
            file.seek(place.start)
            return decoded_block(file.read(place.length), f"{self._path.name}, byte {place.start}")


class _Record(msgspec.Struct):
    """A line of which only the kind is decoded."""

    record: str = ""


_record = msgspec.json.Decoder(_Record)


def holds_match(path: Path) -> bool:
    """Return whether a file begins like one of a match."""
    try:
        with path.open("rb") as file:
            return _record.decode(file.readline()).record == "match"
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return False
