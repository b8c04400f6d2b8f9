"""One search by several searchers: each looks at its share of the root moves, and the answers are joined.

Root splitting is the simplest parallel alpha-beta and not the fastest: no searcher knows the best score of
the others, so that n searchers see less than n times as much. A searcher that is slow or dead costs its
moves depth, and the others nothing.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from gateway.searchers.client import Found, Searcher
from gateway.searchers.plan import Metadata
from protos.battlesnake.search.v1 import search_pb2

_PATIENCE = 0.25
"""Share of the search's time after which another one is asked for the moves of a searcher that is silent."""

_LOST = -1.0
"""The score of a move that loses for sure."""


@dataclass(slots=True)
class _Part:
    """Some of the root moves, best first, the searcher that looks at them, and what is found of them."""

    searcher: Searcher
    moves: Sequence[search_pb2.Direction]
    found: Found = field(default_factory=Found)

    @property
    def known(self) -> bool:
        """Whether a depth is completed."""
        return self.found.result is not None and self.found.result.depth > 0


@dataclass(frozen=True, slots=True)
class _Asking:
    """What all parts have in common."""

    request: search_pb2.StreamSearchRequest
    soft: float
    hard: float
    metadata: Metadata

    def ask(self, searcher: Searcher, part: _Part) -> asyncio.Task[Found]:
        """Have a part searched."""
        request = search_pb2.StreamSearchRequest()
        request.CopyFrom(self.request)
        request.limits.root_moves.extend(part.moves)
        return asyncio.create_task(searcher.search(request, self.soft, self.hard, self.metadata, part.found))


async def search(
    searchers: Sequence[Searcher],
    request: search_pb2.StreamSearchRequest,
    soft: float,
    hard: float,
    metadata: Metadata,
    moves: Sequence[search_pb2.Direction],
) -> Found:
    """As Searcher.search, by two searchers or more. `moves`: those worth looking at, the likeliest first.

    With fewer than two moves one searcher looks at all that the position has.
    """
    parts = _split(searchers, moves)
    # The searchers that are in time don't wait for the others until the very last moment: the budget would
    # take that for a delay of all, and give less time to search.
    asking = _Asking(request, soft, (soft + hard) / 2, metadata)
    await asyncio.gather(*(_search(part, parts, searchers, asking) for part in parts))
    return parts[0].found if len(parts) == 1 else _joined(parts)


def _split(searchers: Sequence[Searcher], moves: Sequence[search_pb2.Direction]) -> list[_Part]:
    if len(moves) < 2:
        return [_Part(searchers[0], ())]
    count = len(searchers)
    return [_Part(one, moves[index::count]) for index, one in enumerate(searchers) if index < len(moves)]


async def _search(part: _Part, parts: list[_Part], searchers: Sequence[Searcher], asking: _Asking) -> None:
    """Have a part searched, by a second searcher too if the first one shows nothing for long."""
    patience = (asking.soft - asyncio.get_running_loop().time()) * _PATIENCE
    tasks = [asking.ask(part.searcher, part)]
    try:
        await asyncio.wait(tasks, timeout=max(patience, 0))
        if not part.known:
            tasks.append(asking.ask(_spare(part, parts, searchers), part))
        waiting = set(tasks)
        while waiting and not part.found.final:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _spare(part: _Part, parts: list[_Part], searchers: Sequence[Searcher]) -> Searcher:
    """Another searcher: one that has shown something, if there is one."""
    alive = [other.searcher for other in parts if other.known]
    others = [searcher for searcher in searchers if searcher is not part.searcher]
    return [*alive, *others][0]


def _joined(parts: list[_Part]) -> Found:
    """The best of what is known; a move of which nothing is known, if all others lose for sure."""
    found = Found(
        final=all(part.found.final for part in parts),
        failures=[failure for part in parts for failure in part.found.failures],
    )
    results = [part.found.result for part in parts if part.known and part.found.result is not None]
    unknown = [move for part in parts if not part.known for move in part.moves]
    if not results:
        return found
    found.result = search_pb2.SearchResult()
    found.result.CopyFrom(max(results, key=_worth))
    if found.result.score <= _LOST and unknown:
        found.result = search_pb2.SearchResult(move=unknown[0])
        found.final = False
    found.result.nodes = sum(result.nodes for result in results)
    longest = max(results, key=lambda result: result.elapsed.ToNanoseconds())
    found.result.elapsed.CopyFrom(longest.elapsed)
    return found


def _worth(result: search_pb2.SearchResult) -> tuple[float, int]:
    """Sorts results: by score, then a win by how soon it comes, all other ends by how late."""
    best = result.root_moves[0] if result.root_moves else search_pb2.RootMove()
    sooner = best.outcome.kind == search_pb2.OUTCOME_KIND_WIN
    return result.score, -best.outcome.turns if sooner else best.outcome.turns
