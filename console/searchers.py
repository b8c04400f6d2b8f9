"""The searchers that the console asks for analyses and reviews."""

from typing import Protocol

from battlesnake_search.searcher_client import SearcherClient


class Searchers(Protocol):
    """The open searchers by their addresses. A plan without an address has the empty address."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of all searchers."""

    def __getitem__(self, address: str) -> SearcherClient:
        """Return the client of a searcher. Raises KeyError for an unknown one."""

    async def troubles(self) -> dict[str, str]:
        """Return by address why a search would fail now; the text is empty if it would succeed."""
