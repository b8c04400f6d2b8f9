"""The channels to all searchers that routes name, and the searcher of the gateway's own."""

import asyncio
from collections.abc import Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from gateway import reflex
from gateway.bodies import Turn
from gateway.searchers import fanout, translate
from gateway.searchers.client import Found, Searcher
from gateway.searchers.embedded import SEARCHER_COMMAND, embedded
from gateway.searchers.plan import OWN, Plan


class Searchers(AbstractAsyncContextManager["Searchers"]):
    """One Searcher for each distinct target. To be made and used within one event loop.

    `own` is the target that OWN stands for; empty: a searcher that is kept running by the command, from its
    first use on. An asynchronous context manager: leaving it ends all calls and that searcher.
    """

    def __init__(self, own: str, command: Sequence[str] = SEARCHER_COMMAND) -> None:
        self._own = own
        self._command = command
        self._embedded = AsyncExitStack()
        self._searchers: dict[str, Searcher] = {}
        self._retiring: dict[asyncio.Task[None], Searcher] = {}

    async def __aexit__(self, *_: object) -> None:
        for task in self._retiring:
            task.cancel()
        for searcher in (*self._searchers.values(), *self._retiring.values()):
            await searcher.close()
        await self._embedded.aclose()

    def __getitem__(self, target: str) -> Searcher:
        """The searcher at a target that is open."""
        return self._searchers[target or self._own]

    async def open(self, targets: Iterable[str]) -> None:
        """Have these targets ready, beside those that already are."""
        for target in targets:
            if target == OWN and not self._own:
                self._own = await self._embedded.enter_async_context(embedded(self._command))
            address = target or self._own
            if address not in self._searchers:
                self._searchers[address] = Searcher(address)

    def keep(self, targets: Iterable[str]) -> None:
        """Close all other targets, each as soon as the searches under way there have ended."""
        kept = {target or self._own for target in targets}
        for address in self._searchers.keys() - kept:
            searcher = self._searchers.pop(address)
            task = asyncio.create_task(searcher.retire())
            self._retiring[task] = searcher
            task.add_done_callback(self._retiring.pop)

    async def search(self, turn: Turn, plan: Plan, soft: float, hard: float) -> Found:
        """Ask for a move as planned, until `soft`, and return at `hard` at the latest, by the loop's clock.

        Raises nothing that a searcher or the network could cause.
        """
        request = translate.search_request(turn, plan)
        if plan.limits.time:
            soft = min(soft, asyncio.get_running_loop().time() + plan.limits.time / 1000)
        asked = [self[target] for target in plan.searchers]
        if len(asked) == 1:
            return await asked[0].search(request, soft, hard, plan.metadata)
        moves = translate.directions(reflex.living(turn))
        return await fanout.search(asked, request, soft, hard, plan.metadata, moves)

    async def trouble(self) -> str:
        """Why no search could be answered now; empty if one of the searchers could."""
        troubles = await asyncio.gather(*(searcher.trouble() for searcher in self._searchers.values()))
        return "" if "" in troubles else "; ".join(troubles)
