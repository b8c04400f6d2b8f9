"""The stored reviews of games."""

import msgspec

from console.store.library import in_time
from console.store.records import ReviewRow
from console.store.store import Store
from console.store.values import Game
from console.store.writer import Writer


class StoredReviews:
    """The reviews of games for their snakes."""

    def __init__(self, store: Store, writer: Writer) -> None:
        self._store = store
        self._writer = writer

    async def read(self, game: Game, snake: str) -> bytes | None:
        """Return the review of a whole game as JSON; None without a review of all its turns."""
        row = await in_time(self._store.review(game.id, snake), None)
        return row.review if row and row.turns == len(game.turns) else None

    async def keep(self, game: Game, snake: str, review: object) -> None:
        """Store the review of a game for a snake."""
        await self._writer.written([ReviewRow(game.id, snake, len(game.turns), msgspec.json.encode(review))])
