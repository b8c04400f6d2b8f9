"""Games that come from elsewhere, joined with those that are kept already."""

import asyncio
from collections.abc import Callable, Collection
from http import HTTPStatus

import msgspec

from gateway.replay.address import RemoteGameError, read_address, require_allowed
from gateway.replay.remote import fetch
from gateway.store.library import Library
from gateway.store.memory import Memory
from gateway.store.records import RUNNING, Header, Key, Position, Row, game_row, key_of, record_row

_SLICE = 32
"""Records that are kept in one piece, which delays a move by about a millisecond."""


def joined(
    kept: Header | None, keys: Collection[Key], new: Header, positions: list[Position]
) -> tuple[Header, list[Position]]:
    """Return the header and the positions to add to a game that is kept with the records of these keys.

    A kept game stays as it is. It gets the end, the causes of deaths and the turns that it lacks. Raises
    RemoteGameError if another game has the same id.
    """
    lacking = [position for position in positions if key_of(position) not in keys]
    if kept is None:
        return new, lacking
    known = {snake.id for snake in kept.snakes}
    others = [snake for snake in new.snakes if snake.id not in known]
    is_other = bool(known) and len(others) == len(new.snakes)
    if is_other or (kept.width, kept.height) != (new.width, new.height):
        raise RemoteGameError(f"another game with the id {new.id} is kept", HTTPStatus.CONFLICT)
    end = kept if kept.ended_at else new
    header = msgspec.structs.replace(
        kept,
        source=new.source if kept.source == RUNNING else kept.source,
        snakes=[*kept.snakes, *others],
        turns=max(kept.turns, new.turns),
        ended_at=end.ended_at,
        winner=end.winner,
        deaths=new.deaths or kept.deaths,
    )
    return header, lacking


class Importer:
    """Reads games of other servers into the library, one at a time.

    `servers` are those that may be read, as HOST or HOST:PORT. `write` receives each record for the database.
    """

    def __init__(
        self, memory: Memory, library: Library, write: Callable[[Row], None], servers: Collection[str]
    ) -> None:
        self.servers = servers
        self._memory = memory
        self._library = library
        self._write = write
        self._importing = asyncio.Lock()

    async def read(self, text: str) -> str:
        """Read the game at an address, and return its id. Raises RemoteGameError.

        A game that is being played here is recorded anyway, and is not read.
        """
        address = read_address(text)
        require_allowed(address, self.servers)
        if self._library.is_live(address.game):
            return address.game
        if self._importing.locked():
            raise RemoteGameError("another game is being read", HTTPStatus.TOO_MANY_REQUESTS)
        async with self._importing:
            header, positions = await fetch(address)
            await self._keep(header, positions)
            return header.id

    async def _keep(self, new: Header, read: list[Position]) -> None:
        try:
            kept, keys = await self._library.kept(new.id)
        except Exception as error:
            # SQLAlchemy, its drivers and the network share no base exception.
            reason = "the database does not say whether the game is kept already"
            raise RemoteGameError(reason, HTTPStatus.SERVICE_UNAVAILABLE) from error
        if self._library.is_live(new.id):
            return
        header, positions = joined(kept, keys, new, read)
        game = self._memory.get(header.id) or self._memory.create(header)
        game.header = header
        self._memory.close(game)
        self._write(game_row(header))
        for number, position in enumerate(positions, 1):
            row = record_row(header.id, position)
            self._memory.add(game, row.record)
            self._write(row)
            if number % _SLICE == 0:
                await asyncio.sleep(0)
        if not game.is_live:
            self._memory.close(game)
