"""The recent games in memory: their records, compressed in blocks."""

import zlib
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from gateway.replay.assembly import Assembly
from gateway.store.records import Header, Record, ReviewRow, decode_record, encode

MAX_BYTES = 40_000_000
"""The largest number of bytes of the records of all games together."""

_BLOCK = 32
"""The number of records in a compressed block. Fewer take more memory, and more delay a move longer."""

_LEVEL = 6
_OVERHEAD = 4096
"""The bytes that a game is assumed to take besides its records."""


class KeptGame:
    """A game with its records. While it is live, `following` has its newest turns for the console."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.following: Assembly | None = Assembly(header)
        self.touched = 0.0
        """The time of the newest addition, by the caller's clock."""
        self.reviews: dict[str, ReviewRow] = {}
        """The reviews of the game, by snake."""
        self._blocks: list[bytes] = []
        self._newest: list[bytes] = []
        self.size = _OVERHEAD

    @property
    def is_live(self) -> bool:
        """Whether the game is running, as far as the gateway knows."""
        return self.following is not None

    def follow(self) -> Assembly:
        """Return the newest turns of a running game."""
        if self.following is None:
            self.following = Assembly(self.header)
        return self.following

    def add(self, record: bytes) -> None:
        """Add an encoded record."""
        self._newest.append(record)
        self.size += len(record)
        if len(self._newest) >= _BLOCK:
            self._compress()

    def close(self) -> None:
        """Mark the game as over."""
        self.following = None
        if self._newest:
            self._compress()

    def drop_block(self) -> int:
        """Drop the oldest records; return their size."""
        size = len(self._blocks.pop(0)) if self._blocks else 0
        self.size -= size
        return size

    def records(self) -> Iterator[Record]:
        """Yield all records in their order."""
        # A block may be added during the iteration.
        blocks, newest = tuple(self._blocks), tuple(self._newest)
        for block in blocks:
            yield from map(decode_record, msgspec.msgpack.decode(zlib.decompress(block), type=list[bytes]))
        yield from map(decode_record, newest)

    def _compress(self) -> None:
        block = zlib.compress(encode(self._newest), _LEVEL)
        self.size += len(block) - sum(map(len, self._newest))
        self._blocks.append(block)
        self._newest = []


class Memory:
    """The recent games, within bounds. The oldest finished game is dropped first."""

    def __init__(self, max_games: int, max_bytes: int = MAX_BYTES) -> None:
        self._max_games = max_games
        self._max_bytes = max_bytes
        self._games: OrderedDict[str, KeptGame] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[KeptGame]:
        """Yield the games, oldest first."""
        return iter(self._games.values())

    def get(self, game: str) -> KeptGame | None:
        """Return a game; None if it is not kept."""
        return self._games.get(game)

    def create(self, header: Header) -> KeptGame:
        """Keep a new game."""
        created = self._games[header.id] = KeptGame(header)
        self._size += created.size
        while len(self._games) > self._max_games:
            self._evict(created)
        return created

    def add(self, game: KeptGame, record: bytes) -> None:
        """Add an encoded record to a kept game."""
        before = game.size
        game.add(record)
        self._size += game.size - before
        while self._size > self._max_bytes and self._evict(game):
            pass

    def close(self, game: KeptGame) -> None:
        """Mark a game as over."""
        before = game.size
        game.close()
        self._size += game.size - before

    def rename(self, game: KeptGame, new_id: str) -> None:
        """Give a game another id."""
        self._games = OrderedDict(
            (new_id if kept is game else name, kept) for name, kept in self._games.items()
        )
        game.header.id = new_id

    def live(self) -> list[KeptGame]:
        """Return the running games."""
        return [game for game in self._games.values() if game.is_live]

    def _evict(self, newest: KeptGame) -> int:
        """Drop a game, or the oldest records of the newest game if it is the only one; return their size."""
        others = [game for game in self._games.values() if game is not newest]
        if others:
            oldest = next((game for game in others if not game.is_live), others[0])
            del self._games[oldest.header.id]
            size = oldest.size
        else:
            size = newest.drop_block()
        self._size -= size
        return size
