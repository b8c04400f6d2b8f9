"""The pool of clients: one for each target in the routes, and one for the gateway's own searcher."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

from battlesnake_search import translate
from battlesnake_search.board import Turn
from battlesnake_search.channels import Credentials
from battlesnake_search.children.restarting import embedded
from battlesnake_search.children.service import SEARCHER_COMMAND, Service
from battlesnake_search.plan import OWN, Deadlines, Plan
from battlesnake_search.searchable import Searchable
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from gateway import reflex
from gateway.searchers import fanout


class SearcherPool(AbstractAsyncContextManager["SearcherPool"]):
    """One SearcherClient for each distinct target. Create and use it within one event loop.

    `own` is the target that OWN stands for. If `own` is empty, OWN is an embedded searcher. `command` starts
    that searcher when it is first used, and `keep` ends it when OWN is no longer among the targets. `started`
    is an embedded searcher that runs already. `on_ended` is called whenever a process of an embedded searcher
    has ended by itself. Its argument is whether the first searcher refuses its settings. Calls to all remote
    searchers send `credentials`. An asynchronous context manager: leaving it ends all calls and the embedded
    searcher.
    """

    def __init__(
        self,
        own: str,
        command: Sequence[str] = SEARCHER_COMMAND,
        credentials: Credentials | None = None,
        started: Service | None = None,
        on_ended: Callable[[bool], None] = lambda _refused: None,
    ) -> None:
        self._own = own
        self._on_ended = on_ended
        self.embedded_metrics: Path | None = None
        """The socket with the embedded searcher's metrics, if there is such a searcher."""
        self.version = ""
        """The strategies of the embedded searcher with their digests, if they are known."""
        self._successor: tuple[SearcherClient, Service, AsyncExitStack] | None = None
        self._started = started
        self._credentials = credentials or Credentials()
        self._is_remote = bool(own)
        self._command = command
        self._embedded = AsyncExitStack()
        self._clients: dict[str, SearcherClient] = {}
        self._retiring: dict[asyncio.Task[None], SearcherClient] = {}

    async def __aexit__(self, *_: object) -> None:
        for client in (*self._clients.values(), *self._retiring.values()):
            await client.close()
        await asyncio.gather(*self._retiring)
        await self._embedded.aclose()

    def __getitem__(self, target: str) -> SearcherClient:
        """Return the client of an open target. Raises KeyError for another one."""
        return self._clients[target or self._own]

    def is_embedded(self, target: str) -> bool:
        """Return whether a target stands for the embedded searcher."""
        return target == OWN and not self._is_remote

    def is_own(self, address: str) -> bool:
        """Return whether an address is of the gateway's own searcher."""
        return address == self._own

    def describe(self, target: str) -> str:
        """Return a searcher's name in messages: its address, unless it is the embedded searcher."""
        return "the embedded searcher" if self.is_embedded(target) else target or self._own

    async def open(self, targets: Iterable[str]) -> None:
        """Open these targets. Targets that are open stay open."""
        for target in targets:
            if target == OWN and not self._own:
                started, self._started = self._started, None
                service = started or Service(self._command)
                running = embedded(service, self._reconnect, self._on_ended)
                self._own = await self._embedded.enter_async_context(running)
                self.embedded_metrics = service.metrics
            address = target or self._own
            if address not in self._clients:
                self._clients[address] = SearcherClient(address, self._credentials)

    def keep(self, targets: Iterable[str]) -> None:
        """Close all targets except these, each after its last search. This includes an embedded searcher."""
        kept = {target or self._own for target in targets}
        for address in self._clients.keys() - kept:
            client, process = self._clients.pop(address), AsyncExitStack()
            if address == self._own and not self._is_remote:
                process, self._embedded = self._embedded, process
                self._own, self.embedded_metrics = "", None
            self._retire_later(client, process)

    @asynccontextmanager
    async def successor(self) -> AsyncIterator[SearcherClient]:
        """Start a second embedded searcher and yield its client. It ends with the block or takes over."""
        service, process = Service(self._command), AsyncExitStack()
        client = SearcherClient(service.target, self._credentials)
        self._successor = client, service, process

        def ended(_refused: bool) -> None:
            # The present searcher plays on.
            self._on_ended(False)

        try:
            await process.enter_async_context(embedded(service, client.reconnect, ended))
            yield client
        finally:
            if self._successor is not None:
                self._successor = None
                await _retire(client, process)

    def hand_over(self) -> None:
        """Let the successor take the place of the embedded searcher, which ends after its last search."""
        assert self._successor is not None
        former, process = self._clients.pop(self._own), self._embedded
        client, service, self._embedded = self._successor
        self._successor = None
        self._own, self.embedded_metrics = service.target, service.metrics
        self._clients[self._own] = client
        self._retire_later(former, process)

    def _retire_later(self, client: SearcherClient, process: AsyncExitStack) -> None:
        task = asyncio.create_task(_retire(client, process))
        self._retiring[task] = client
        task.add_done_callback(self._retiring.pop)

    def _reconnect(self) -> None:
        """Connect to the embedded searcher, because its process listens now."""
        if client := self._clients.get(self._own):
            client.reconnect()

    async def search(
        self, position: Searchable | Turn, plan: Plan, deadlines: Deadlines, bridges: bool = False
    ) -> SearchReply:
        """Search for a move by the plan, and return by the answer deadline.

        With `bridges`, a searcher's default strategy searches while the plan's strategy is compiled. Errors
        of searchers and of the network become failures of the reply and are never raised.
        """
        request = translate.search_request(position, plan)
        if plan.limits.time:
            limit = time.monotonic() + plan.limits.time / 1000
            deadlines = replace(deadlines, search=min(deadlines.search, limit))
        clients = [self[target] for target in plan.searchers]
        if len(clients) == 1:
            return await clients[0].search(request, deadlines, plan.metadata, bridges=bridges)
        turn = position.turn if isinstance(position, Searchable) else position
        moves = list(request.limits.root_moves) or translate.directions(reflex.survivable(turn))
        return await fanout.search(clients, request, deadlines, plan.metadata, moves, bridges)

    def hurry(self, seconds: float) -> None:
        """Make all searches return their best result so far within this many seconds."""
        for client in (*self._clients.values(), *self._retiring.values()):
            client.hurry(seconds)

    async def troubles(self) -> dict[str, str]:
        """Return by searcher's address why a search would fail now; the text is empty if it would succeed."""
        clients = dict(self._clients)
        troubles = await asyncio.gather(*(client.trouble() for client in clients.values()))
        return dict(zip(clients, troubles, strict=True))


async def _retire(client: SearcherClient, process: AsyncExitStack) -> None:
    """Close a client when no search uses it, and then end its searcher if it is embedded."""
    await client.retire()
    await process.aclose()
