"""The gateway whose games the console shows."""

from collections.abc import Mapping
from typing import Protocol

from battlesnake_search.record.status import Status


class Gateway(Protocol):
    """A gateway, as far as the console's pages tell of it."""

    async def readiness(self) -> tuple[Mapping[str, str | list[str]], int]:
        """Return the body of its /readyz with reasons, and the HTTP status."""

    async def status(self) -> Status:
        """Return its present state."""

    async def metrics(self, accept: str) -> tuple[bytes, str]:
        """Return its metrics in the format that a reader accepts, and their content type."""
