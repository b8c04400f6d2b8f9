"""The fan-out of root moves over real gRPC servers, and the merge of their replies."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack

import pytest

from battlesnake_search.contract import search_pb2
from battlesnake_search.searcher_client import SearcherClient, SearchReply
from gateway.searchers import fanout
from tests.battlesnake_search.samples import deadlines_in
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import Context, Script, ScriptedService

UP, DOWN, LEFT, RIGHT = (
    search_pb2.DIRECTION_UP,
    search_pb2.DIRECTION_DOWN,
    search_pb2.DIRECTION_LEFT,
    search_pb2.DIRECTION_RIGHT,
)
LOSS, WIN = search_pb2.OUTCOME_KIND_LOSS, search_pb2.OUTCOME_KIND_WIN
DEAD = "127.0.0.1:1"
SLOW = 1.5
"""Seconds: more than a busy machine adds."""

Ending = tuple[search_pb2.OutcomeKind, int]


def _root_move(move: search_pb2.Direction, end: float | Ending) -> search_pb2.RootMove:
    if isinstance(end, float):
        return search_pb2.RootMove(move=move, score=end)
    kind, turns = end
    outcome = search_pb2.Outcome(kind=kind, turns=turns)
    return search_pb2.RootMove(move=move, score=1.0 if kind == WIN else -1.0, outcome=outcome)


def knowing(ends: Mapping[search_pb2.Direction, float | Ending], depth: int = 5) -> Script:
    """Return a script that answers with the best of the requested moves, and 10 nodes."""

    async def script(
        request: search_pb2.StreamSearchRequest, _context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        moves = [_root_move(move, ends[move]) for move in request.limits.root_moves or ends]
        moves.sort(key=lambda root_move: root_move.score, reverse=True)
        result = search_pb2.SearchResult(
            move=moves[0].move, score=moves[0].score, depth=depth, nodes=10, root_moves=moves
        )
        yield search_pb2.StreamSearchResponse(result=result, final=True)

    return script


async def _search(
    scripts: Sequence[Script | str],
    moves: Sequence[search_pb2.Direction] = (UP, DOWN, LEFT, RIGHT),
    search: float = 0.4,
) -> tuple[SearchReply, float, list[ScriptedService]]:
    """Search with these scripts or targets; return the reply, the seconds it took, and the services."""
    now = asyncio.get_running_loop().time
    services = [ScriptedService(script) for script in scripts if not isinstance(script, str)]
    waiting = iter(services)
    async with AsyncExitStack() as stack:
        searchers = [
            await stack.enter_async_context(
                SearcherClient(
                    script
                    if isinstance(script, str)
                    else await stack.enter_async_context(scripted_searcher.searcher(next(waiting)))
                )
            )
            for script in scripts
        ]
        request = search_pb2.StreamSearchRequest(strategy=search_pb2.Strategy(search="s", evaluator="e"))
        started = now()
        reply = await fanout.search(
            searchers, request, deadlines_in(search, search + 0.1), (("x-arm", "wide"),), moves
        )
        return reply, now() - started, services


def _asked(service: ScriptedService) -> list[list[search_pb2.Direction]]:
    return [list(request.limits.root_moves) for request in service.requests]


async def test_each_searcher_gets_its_share_of_the_moves() -> None:
    """The moves are dealt to the searchers in turn, with the strategy and headers of the call."""
    script = knowing({UP: 0.1, DOWN: 0.2, LEFT: 0.3})
    reply, seconds, services = await _search([script, script], [LEFT, UP, DOWN], search=10)
    assert [_asked(service) for service in services] == [[[LEFT, DOWN]], [[UP]]]
    assert all(service.requests[0].strategy.evaluator == "e" for service in services)
    assert all(service.headers[0]["x-arm"] == "wide" for service in services)
    assert seconds < SLOW and reply.final


@pytest.mark.parametrize(
    ("ends", "best"),
    [
        ({UP: 0.1, DOWN: 0.4, LEFT: -0.3, RIGHT: 0.2}, DOWN),
        ({UP: (LOSS, 3), DOWN: (LOSS, 9), LEFT: (LOSS, 5), RIGHT: (LOSS, 1)}, DOWN),
        ({UP: (WIN, 9), DOWN: (WIN, 3), LEFT: 0.999, RIGHT: 0.0}, DOWN),
        ({UP: (LOSS, 9), DOWN: -0.999, LEFT: (LOSS, 5), RIGHT: (LOSS, 7)}, DOWN),
    ],
    ids=["score", "the latest loss", "the soonest win", "anything but a loss"],
)
async def test_the_best_of_all_answers_is_played(
    ends: Mapping[search_pb2.Direction, float | Ending], best: search_pb2.Direction
) -> None:
    """Replies are compared by score, certain endings by their turn; nodes are summed."""
    reply, _, _ = await _search([knowing(ends)] * 4)
    assert reply.result is not None
    assert (reply.result.move, reply.result.nodes, reply.final) == (best, 40, True)


@pytest.mark.parametrize("missing", [DEAD, scripted_searcher.never], ids=["dead", "silent"])
async def test_a_missing_searcher_costs_only_its_own_moves_depth(missing: Script | str) -> None:
    """Another searcher takes over its moves, the best move is still found, and nobody waits for it."""
    script = knowing({UP: 0.1, DOWN: 0.4, LEFT: 0.2, RIGHT: 0.3})
    reply, seconds, [alive, *_] = await _search([script, missing], search=2)
    assert _asked(alive) == [[UP, LEFT], [DOWN, RIGHT]]
    assert reply.result is not None and reply.result.move == DOWN
    assert reply.final and seconds < SLOW


@pytest.mark.parametrize(("end", "best"), [(-0.9, UP), ((LOSS, 5), DOWN)], ids=["weak", "lost"])
async def test_an_unknown_move_is_played_only_instead_of_a_certain_loss(
    end: float | Ending, best: search_pb2.Direction
) -> None:
    """A move that no searcher has searched is better than a certain loss, and worse than anything else."""
    calls = 0

    async def once(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        nonlocal calls
        calls += 1
        known = knowing({UP: end, LEFT: end})
        async for answer in (known if calls == 1 else scripted_searcher.never)(request, context):
            yield answer

    # The dead searcher has the moves down and right, of which the first one is the more promising.
    reply, _, _ = await _search([once, DEAD])
    assert reply.result is not None and reply.result.move == best
    assert not reply.final


@pytest.mark.parametrize("moves", [(), (LEFT,)])
async def test_a_single_move_is_not_split(moves: Sequence[search_pb2.Direction]) -> None:
    """With fewer than two moves one searcher searches all moves. If it is dead, another searcher does."""
    script = knowing({UP: 0.1, DOWN: 0.4})
    reply, _, services = await _search([script, script], moves)
    assert [_asked(service) for service in services] == [[[]], []]
    assert reply.result is not None and reply.result.move == DOWN
    reply, _, [spare] = await _search([DEAD, script], moves)
    assert _asked(spare) == [[]]
    assert reply.result is not None and reply.result.move == DOWN


async def test_a_cancelled_search_leaves_no_call_behind() -> None:
    """Cancelling the search cancels the calls to all searchers."""
    ended = [asyncio.Event(), asyncio.Event()]

    scripts = [scripted_searcher.setting(one, scripted_searcher.one_depth_then_silence) for one in ended]
    async with asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await _search(scripts, [UP, DOWN], search=60)
        for one in ended:
            await one.wait()
    assert all(one.is_set() for one in ended)
