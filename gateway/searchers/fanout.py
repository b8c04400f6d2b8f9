"""One search by several searchers: each searches a share of the root moves, or replaces a silent searcher.

Root splitting is the simplest form of parallel alpha-beta, but not the fastest. The searchers do not share
their best scores, so n searchers search less than n times as much. A slow or dead searcher reduces only the
depth of its own moves.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import Deadlines, Metadata
from battlesnake_search.searcher_client import SearcherClient, SearchReply

_SILENCE = 0.25
"""The share of the search's time after which another searcher also searches the moves of a silent one."""

_LOSS = -1.0
"""The score of a certain loss."""


@dataclass(slots=True)
class _Share:
    """Some of the root moves, best first, with their searcher and its reply."""

    searcher: SearcherClient
    moves: Sequence[search_pb2.Direction]
    reply: SearchReply = field(default_factory=SearchReply)

    @property
    def has_depth(self) -> bool:
        """Whether a depth is completed."""
        return self.reply.result is not None and self.reply.result.depth > 0


_Start = Callable[[SearcherClient, _Share], asyncio.Task[SearchReply]]
"""A function that starts the search of a share by a searcher."""


async def search(
    searchers: Sequence[SearcherClient],
    request: search_pb2.StreamSearchRequest,
    deadlines: Deadlines,
    metadata: Metadata,
    moves: Sequence[search_pb2.Direction],
    bridges: bool = False,
) -> SearchReply:
    """Search as SearcherClient.search does, with two searchers or more.

    `moves` are the root moves worth searching, most promising first. If they are fewer than two, the search
    is not split, and one searcher searches the whole position.
    """
    shares = _split(searchers, moves)
    # Don't wait for slow searchers until the last moment. The budget would take the wait for a lag of all
    # searchers and shorten the next searches.
    earlier = replace(deadlines, answer=(deadlines.search + deadlines.answer) / 2)

    def start(searcher: SearcherClient, share: _Share) -> asyncio.Task[SearchReply]:
        asked = search_pb2.StreamSearchRequest()
        asked.CopyFrom(request)
        asked.limits.root_moves.extend(share.moves)
        return asyncio.create_task(searcher.search(asked, earlier, metadata, share.reply, bridges))

    silence = (deadlines.search - time.monotonic()) * _SILENCE
    await asyncio.gather(*(_search(share, shares, searchers, start, silence) for share in shares))
    return shares[0].reply if len(shares) == 1 else _merge(shares)


def _split(searchers: Sequence[SearcherClient], moves: Sequence[search_pb2.Direction]) -> list[_Share]:
    if len(moves) < 2:
        return [_Share(searchers[0], ())]
    count = len(searchers)
    return [_Share(one, moves[index::count]) for index, one in enumerate(searchers) if index < len(moves)]


async def _search(
    share: _Share, shares: list[_Share], searchers: Sequence[SearcherClient], start: _Start, silence: float
) -> None:
    """Search a share, after `silence` seconds without a completed depth also by a second searcher."""
    tasks = [start(share.searcher, share)]
    try:
        await asyncio.wait(tasks, timeout=max(silence, 0))
        if not share.has_depth:
            tasks.append(start(_spare(share, shares, searchers), share))
        waiting = set(tasks)
        while waiting and not share.reply.final:
            _, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _spare(share: _Share, shares: list[_Share], searchers: Sequence[SearcherClient]) -> SearcherClient:
    """Return another searcher, preferably one that has completed a depth."""
    alive = [other.searcher for other in shares if other.has_depth]
    others = [searcher for searcher in searchers if searcher is not share.searcher]
    return [*alive, *others][0]


def _merge(shares: list[_Share]) -> SearchReply:
    """Return the best result, or a move without a result if all other moves are certain losses."""
    reply = SearchReply(
        final=all(share.reply.final for share in shares),
        failures=[failure for share in shares for failure in share.reply.failures],
    )
    results = [share.reply.result for share in shares if share.has_depth and share.reply.result is not None]
    unknown = [move for share in shares if not share.has_depth for move in share.moves]
    if not results:
        return reply
    reply.result = search_pb2.SearchResult()
    reply.result.CopyFrom(max(results, key=_worth))
    if reply.result.score <= _LOSS and unknown:
        reply.result = search_pb2.SearchResult(move=unknown[0])
        reply.final = False
    reply.result.nodes = sum(result.nodes for result in results)
    longest = max(results, key=lambda result: result.elapsed.ToNanoseconds())
    reply.result.elapsed.CopyFrom(longest.elapsed)
    return reply


def _worth(result: search_pb2.SearchResult) -> tuple[float, int]:
    """Return a sort key: the score, then the earliest win or the latest of all other endings."""
    best = result.root_moves[0] if result.root_moves else search_pb2.RootMove()
    sooner = best.outcome.kind == search_pb2.OUTCOME_KIND_WIN
    return result.score, -best.outcome.turns if sooner else best.outcome.turns
