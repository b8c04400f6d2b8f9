"""The stored reviews of games, in memory and in the database."""

from collections.abc import Callable

import msgspec

from console.store.late_store import LateStore
from console.store.library import in_time
from console.store.memory import Memory
from console.store.records import ReviewRow, Row
from console.store.values import Game


class StoredReviews:
    """The reviews of games for their snakes. `write` passes a row on to the database."""

    def __init__(self, memory: Memory, store: LateStore | None, write: Callable[[Row], None]) -> None:
        self._memory = memory
        self._store = store
        self._write = write

    async def read(self, game: Game, snake: str) -> bytes | None:
        """Return the review of a whole game as JSON; None without a review of all its turns."""
        kept = self._memory.get(game.id)
        row = kept.reviews.get(snake) if kept else None
        if row is None and self._store:
            row = await in_time(self._store.review(game.id, snake), None)
        return row.review if row and row.turns == len(game.turns) else None

    def keep(self, game: Game, snake: str, review: object) -> None:
        """Store the review of a game for a snake."""
        row = ReviewRow(game.id, snake, len(game.turns), msgspec.json.encode(review))
        if kept := self._memory.get(game.id):
            kept.reviews[snake] = row
        self._write(row)
