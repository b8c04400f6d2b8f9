"""The games that are being recorded: their headers and newest turns. The rest is in the database."""

from collections import OrderedDict
from collections.abc import Iterator

from console.store.assembly import Assembly
from console.store.records import Header, encode

MOST_BYTES = 8_000_000
"""The largest number of bytes of all games together, by an estimate: some 120 games of four snakes."""

_OVERHEAD = 4096
"""The bytes that a game is assumed to take besides its header and its newest turns."""

_DECODED = 27
_DECODED_HEADER = 4
"""The bytes in memory for each byte of an encoded position, and of an encoded header."""


class LiveGame:
    """A game that is being recorded. `following` has its newest turns."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.first: int | None = None
        """The first turn seen; None if the console began in the middle of the game."""
        self.following = Assembly(header)
        self.touched = 0.0
        """The time of the newest event, in seconds since 1970."""
        self._newest = 0

    def note_record(self, record: bytes) -> None:
        """Note the size of a new record. The two newest turns are kept."""
        self._newest = 2 * _DECODED * len(record)

    @property
    def size(self) -> int:
        """Its bytes in memory, estimated by those of its encoded header and newest record."""
        return _OVERHEAD + _DECODED_HEADER * len(encode(self.header)) + self._newest


class LiveGames:
    """The live games by id. Beyond the bound, games of few turns are forgotten first, oldest first.

    A game that is forgotten continues with its header from the database.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._games: OrderedDict[str, LiveGame] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._games)

    def __iter__(self) -> Iterator[LiveGame]:
        """Yield the games, oldest first."""
        return iter(self._games.values())

    def get(self, game: str) -> LiveGame | None:
        """Return a live game; None for another one."""
        return self._games.get(game)

    def keep(self, game: LiveGame) -> None:
        """Keep a game, or note that it has changed."""
        name = game.header.id
        self._games[name] = game
        self._bytes += game.size - self._sizes.get(name, 0)
        self._sizes[name] = game.size
        while self._bytes > self._most_bytes and len(self._games) > 1:
            others = (each for each in self._games.values() if each is not game)
            self.close(min(others, key=lambda each: each.header.turns.bit_length()).header.id)

    def close(self, game: str) -> None:
        """Forget a game, because it is over."""
        if self._games.pop(game, None):
            self._bytes -= self._sizes.pop(game)
