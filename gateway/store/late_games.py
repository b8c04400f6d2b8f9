"""The store of recorded games, opened once the gateway listens."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gateway.store.late import Late
from gateway.store.records import Header
from gateway.store.rows import Bounds, Row

if TYPE_CHECKING:
    from gateway.store.game_store import GameStore


class LateGameStore(Late["GameStore"]):
    """The games in the database at a URL; its methods are those of GameStore."""

    def __init__(self, url: str, bounds: Bounds | None = None) -> None:
        super().__init__(lambda: _open_store(url, bounds))

    async def add(self, rows: Sequence[Row]) -> None:
        """Store all rows or, on an error, none."""
        await (await self.opened()).add(rows)

    async def count(self) -> int:
        """Return the number of games."""
        return await (await self.opened()).count()

    async def headers(self, before: Header | None, limit: int) -> list[Header]:
        """Return the newest games, or the newest of those that are older than another one."""
        return await (await self.opened()).headers(before, limit)

    async def header(self, game: str) -> Header | None:
        """Return a game without its turns; None if it is not kept."""
        return await (await self.opened()).header(game)

    async def records(self, game: str) -> list[bytes]:
        """Return the records of a game, packed."""
        return await (await self.opened()).records(game)


def _open_store(url: str, bounds: Bounds | None) -> "GameStore":
    # Its packages belong to the extra `outcomes`.
    from gateway.store.game_store import GameStore

    return GameStore(url, bounds)
