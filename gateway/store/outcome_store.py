"""The store of outcomes: the gateway writes them to a table in SQLite or PostgreSQL."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from gateway.game.values import Outcome
from gateway.store.engine import Database
from gateway.store.schema import OUTCOMES


class Store(Database):
    """The outcomes in a database."""

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Store all outcomes or, on an error, none. Outcomes that are stored already stay as they are."""
        rows = [msgspec.to_builtins(outcome, builtin_types=(datetime,)) for outcome in outcomes]
        async with self._engine.begin() as connection:
            await connection.execute(self.insert(OUTCOMES).on_conflict_do_nothing(), rows)
