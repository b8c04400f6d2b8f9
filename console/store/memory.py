"""The recent games in memory: their records, compressed in blocks."""

import zlib
from collections import OrderedDict
from collections.abc import Iterator

import msgspec

from console.store.assembly import Assembly
from console.store.records import Header, Record, ReviewRow, decode_record, encode

MAX_BYTES = 40_000_000
"""The largest number of bytes of all games together, as far as they are known."""

MAX_BYTES_BESIDE_DATABASE = 4_000_000
"""The same if a database keeps the games: some 60 running games of four snakes."""

_BLOCK = 32
"""The number of records in a compressed block. Fewer take more memory, and more delay a move longer."""

_LEVEL = 6
_OVERHEAD = 4096
"""The bytes that a game is assumed to take besides its header and its records."""

_DECODED = 27
_DECODED_HEADER = 4
"""The bytes in memory for each byte of an encoded position, and of an encoded header."""


class KeptGame:
    """A game with its records. While it is live, `following` has its newest turns for the console.

    `size` is the number of its bytes in memory. The size of its encoded header and records gives an estimate.
    """

    def __init__(self, header: Header) -> None:
        self.header = header
        self.first: int | None = None
        """The first turn seen."""
        self.following: Assembly | None = Assembly(header)
        self.touched = 0.0
        """The time of the newest addition, by the caller's clock."""
        self.reviews: dict[str, ReviewRow] = {}
        """The reviews of the game, by snake."""
        self._blocks: list[bytes] = []
        self._newest: list[bytes] = []
        self._followed = 0
        """The bytes of the newest turns."""
        self.size = _OVERHEAD + _DECODED_HEADER * len(encode(header))

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
        followed = 2 * _DECODED * len(record) if self.is_live else 0
        self._newest.append(record)
        self.size += len(record) + followed - self._followed
        self._followed = followed
        if len(self._newest) >= _BLOCK:
            self._compress()

    def close(self) -> None:
        """Mark the game as over."""
        self.following = None
        self.size -= self._followed
        self._followed = 0
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
    """The recent games, within bounds. The oldest finished game is dropped first, then games of few turns."""

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
        if len(self._games) > self._max_games:
            self._drop(self._least(created))
        self._shrink(created)
        return created

    def add(self, game: KeptGame, record: bytes) -> None:
        """Add an encoded record to a kept game."""
        before = game.size
        game.add(record)
        self._size += game.size - before
        self._shrink(game)

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

    def _shrink(self, newest: KeptGame) -> None:
        """Drop finished games, then the oldest records of the largest games, then running games."""
        while self._size > self._max_bytes:
            least = self._least(newest)
            if least is not None and not least.is_live:
                self._drop(least)
            elif size := max(self._games.values(), key=lambda game: game.size).drop_block():
                self._size -= size
            elif least is not None:
                self._drop(least)
            else:
                return

    def _least(self, newest: KeptGame) -> KeptGame | None:
        """Return the game to drop first, other than the newest game; None if there is no other game.

        It is the oldest finished game or else a running game of few turns, because a stranger may begin many.
        """
        others = [game for game in self._games.values() if game is not newest]
        return min(others, key=_rank, default=None)

    def _drop(self, game: KeptGame | None) -> None:
        if game is not None:
            del self._games[game.header.id]
            self._size -= game.size


def _rank(game: KeptGame) -> int:
    return 1 + game.header.turns.bit_length() if game.is_live else 0
