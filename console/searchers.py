"""The searchers that the console asks for analyses and reviews: its own, and those that gateways name."""

import asyncio
from collections.abc import Iterable
from itertools import islice
from typing import Self

from battlesnake_search.channels import Credentials
from battlesnake_search.common.sockets import check_target
from battlesnake_search.searcher_client import SearcherClient

_MOST = 256
"""The most searchers that gateways may name. Others are left out."""


class Searchers:
    """One client for each address. An asynchronous context manager: leaving it ends all calls.

    `own` are the addresses of the settings. Calls to them send `credentials`. Calls to others send none,
    because a gateway that names an address could collect the console's token there. With `trusts_gateways`
    all calls send them: the credentials are those of the only gateway.
    """

    def __init__(
        self, own: Iterable[str] = (), credentials: Credentials | None = None, trusts_gateways: bool = False
    ) -> None:
        self._own = tuple(own)
        self._credentials = credentials or Credentials()
        self._trusts_gateways = trusts_gateways
        self._clients: dict[str, SearcherClient] = {}
        self._retiring: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self.name(())
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._clients.values():
            await client.close()
        await asyncio.gather(*self._retiring)

    def name(self, addresses: Iterable[str]) -> None:
        """Use these searchers, and those of the settings, from now on.

        A searcher that is not named any more is closed after its last call.

        Texts that are no target, and addresses beyond the first 256, are left out.
        """
        wanted = dict.fromkeys((*self._own, *islice(filter(_is_target, addresses), _MOST)))
        for address in self._clients.keys() - wanted:
            task = asyncio.create_task(self._clients.pop(address).retire())
            self._retiring.add(task)
            task.add_done_callback(self._retiring.discard)
        self._clients = {address: self._clients.get(address) or self._client(address) for address in wanted}

    def _client(self, address: str) -> SearcherClient:
        is_trusted = self._trusts_gateways or address in self._own
        return SearcherClient(address, self._credentials if is_trusted else Credentials())

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses of all searchers. The first one is asked where a question names none."""
        return tuple(self._clients)

    def __getitem__(self, address: str) -> SearcherClient:
        """Return the client of a searcher; an empty address is the first one. Raises KeyError for others."""
        return self._clients[address or next(iter(self._clients), "")]

    async def troubles(self) -> dict[str, str]:
        """Return by address why a search would fail now; the text is empty if it would succeed."""
        clients = dict(self._clients)
        troubles = await asyncio.gather(*(client.trouble() for client in clients.values()))
        return dict(zip(clients, troubles, strict=True))


def _is_target(address: str) -> bool:
    try:
        check_target(address)
    except ValueError:
        return False
    return True
