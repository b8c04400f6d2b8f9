"""Searches of a turn: the value of the played move, and that of the best other move."""

import asyncio
from collections.abc import Iterable

from battlesnake_search import translate
from battlesnake_search.board import MOVES
from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.searcher_client import Failure, SearcherClient
from gateway.blunders.turns import PlayedTurn
from gateway.blunders.values import Valued
from gateway.replay.values import Ending

_GRACE = 1.0
"""Seconds after the search deadline to wait for the answer: nobody plays by it."""


class NoResultError(Exception):
    """A searcher has returned no move. The message says why."""


async def values_of(
    client: SearcherClient, turn: PlayedTurn, strategy: str, seconds: float
) -> tuple[Valued, Valued]:
    """Return the values of the played move and of the best other move, with this time for each.

    A search of all moves would know only an upper bound of all but the best. Raises NoResultError, and
    ValueError for a text that is no strategy.
    """
    others = (move for move in MOVES if move != turn.move)
    played = await _best_of(client, turn, strategy, [turn.move], seconds)
    return played, await _best_of(client, turn, strategy, others, seconds)


async def _best_of(
    client: SearcherClient, turn: PlayedTurn, strategy: str, moves: Iterable[str], seconds: float
) -> Valued:
    request = translate.search_request(turn.request, Plan(strategy=strategy), moves)
    end = asyncio.get_running_loop().time() + seconds
    reply = await client.search(request, Deadlines(end, end + _GRACE))
    if reply.result is None or not reply.result.root_moves:
        raise NoResultError(_reason(reply.failures))
    best = translate.details(reply.result).moves[0]
    return Valued(
        move=best.move,
        score=round(best.score, 6),
        depth=best.depth,
        time_ms=reply.result.elapsed.ToMicroseconds() / 1e3,
        outcome=Ending(best.outcome.kind, best.outcome.turns) if best.outcome else None,
    )


def _reason(failures: list[Failure]) -> str:
    return f"{failures[-1].code.name}: {failures[-1].details}" if failures else "no move in time"
