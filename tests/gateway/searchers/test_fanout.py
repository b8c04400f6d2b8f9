"""Root moves split over real gRPC servers, and their answers joined."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack

import pytest

from gateway.searchers import fanout
from gateway.searchers.client import Found, Searcher
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import Context, Script, ScriptedService

UP, DOWN, LEFT, RIGHT = (
    search_pb2.DIRECTION_UP,
    search_pb2.DIRECTION_DOWN,
    search_pb2.DIRECTION_LEFT,
    search_pb2.DIRECTION_RIGHT,
)
LOSS, WIN = search_pb2.OUTCOME_KIND_LOSS, search_pb2.OUTCOME_KIND_WIN
DEAD = "127.0.0.1:1"
SLOW = 1.5
"""Seconds; beyond what a busy machine adds."""

Ends = tuple[search_pb2.OutcomeKind, int]


def _root_move(move: search_pb2.Direction, end: float | Ends) -> search_pb2.RootMove:
    if isinstance(end, float):
        return search_pb2.RootMove(move=move, score=end)
    kind, turns = end
    outcome = search_pb2.Outcome(kind=kind, turns=turns)
    return search_pb2.RootMove(move=move, score=1.0 if kind == WIN else -1.0, outcome=outcome)


def knowing(ends: Mapping[search_pb2.Direction, float | Ends], depth: int = 5) -> Script:
    """Answers with the best of the moves that it is asked for, and 10 nodes."""

    async def script(
        request: search_pb2.StreamSearchRequest, _context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        moves = [_root_move(move, ends[move]) for move in request.limits.root_moves or ends]
        moves.sort(key=lambda found: found.score, reverse=True)
        result = search_pb2.SearchResult(
            move=moves[0].move, score=moves[0].score, depth=depth, nodes=10, root_moves=moves
        )
        yield search_pb2.StreamSearchResponse(result=result, final=True)

    return script


async def _search(
    scripts: Sequence[Script | str],
    moves: Sequence[search_pb2.Direction] = (UP, DOWN, LEFT, RIGHT),
    soft: float = 0.4,
) -> tuple[Found, float, list[ScriptedService]]:
    """What searchers by these scripts, or at these targets, find together, and the seconds it took."""
    now = asyncio.get_running_loop().time
    services = [ScriptedService(script) for script in scripts if not isinstance(script, str)]
    waiting = iter(services)
    async with AsyncExitStack() as stack:
        searchers = [
            await stack.enter_async_context(
                Searcher(
                    script
                    if isinstance(script, str)
                    else await stack.enter_async_context(scripted.searcher(next(waiting)))
                )
            )
            for script in scripts
        ]
        request = search_pb2.StreamSearchRequest(strategy=search_pb2.Strategy(search="s", evaluator="e"))
        started = now()
        found = await fanout.search(
            searchers, request, started + soft, started + soft + 0.1, (("x-arm", "wide"),), moves
        )
        return found, now() - started, services


def _asked(service: ScriptedService) -> list[list[search_pb2.Direction]]:
    return [list(request.limits.root_moves) for request in service.requests]


async def test_each_searcher_gets_its_share_of_the_moves() -> None:
    """The moves go round the searchers, each once, with the call's strategy and headers."""
    script = knowing({UP: 0.1, DOWN: 0.2, LEFT: 0.3})
    found, seconds, services = await _search([script, script], [LEFT, UP, DOWN], soft=10)
    assert [_asked(service) for service in services] == [[[LEFT, DOWN]], [[UP]]]
    assert all(service.requests[0].strategy.evaluator == "e" for service in services)
    assert all(service.headers[0]["x-arm"] == "wide" for service in services)
    assert seconds < SLOW and found.final


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
    ends: Mapping[search_pb2.Direction, float | Ends], best: search_pb2.Direction
) -> None:
    """The answers are compared by score, sure ends by when they come; nodes add up."""
    found, _, _ = await _search([knowing(ends)] * 4)
    assert found.result is not None
    assert (found.result.move, found.result.nodes, found.final) == (best, 40, True)


async def test_a_dead_searcher_costs_its_moves_depth_only() -> None:
    """What nobody looks at for a while, another searcher does: the best move is found all the same."""
    script = knowing({UP: 0.1, DOWN: 0.4, LEFT: 0.2, RIGHT: 0.3})
    found, seconds, [alive] = await _search([script, DEAD])
    assert _asked(alive) == [[UP, LEFT], [DOWN, RIGHT]]
    assert found.result is not None and found.result.move == DOWN
    assert found.final and found.failures and seconds < SLOW


async def test_a_silent_searcher_costs_its_moves_depth_only() -> None:
    """A searcher that hangs is no different from a dead one, and isn't waited for."""
    script = knowing({UP: 0.1, DOWN: 0.4})
    found, seconds, services = await _search([script, scripted.never], [UP, DOWN], soft=2)
    assert [_asked(service) for service in services] == [[[UP], [DOWN]], [[DOWN]]]
    assert found.result is not None and found.result.move == DOWN
    assert found.final and seconds < SLOW


async def test_a_slow_searcher_costs_its_moves_depth_only() -> None:
    """A searcher that has shown a depth keeps its moves, and counts with what it has shown."""
    found, seconds, services = await _search(
        [knowing({UP: 0.1}), scripted.one_depth_then_silence], [UP, RIGHT]
    )
    assert [_asked(service) for service in services] == [[[UP]], [[RIGHT]]]
    assert found.result is not None and (found.result.move, found.result.score) == (RIGHT, 0.25)
    assert not found.final and seconds < 0.4 + SLOW


@pytest.mark.parametrize(("end", "best"), [(-0.9, UP), ((LOSS, 5), DOWN)], ids=["weak", "lost"])
async def test_an_unknown_move_is_played_only_before_a_sure_loss(
    end: float | Ends, best: search_pb2.Direction
) -> None:
    """Of a move that nobody could look at nothing is known, which beats nothing but a loss."""
    calls = 0

    async def once(
        request: search_pb2.StreamSearchRequest, context: Context
    ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
        nonlocal calls
        calls += 1
        async for answer in (knowing({UP: end}) if calls == 1 else scripted.never)(request, context):
            yield answer

    found, _, _ = await _search([once, DEAD], [UP, DOWN])
    assert found.result is not None and found.result.move == best
    assert not found.final


async def test_without_any_answer_there_is_none() -> None:
    """When all are dead, nothing is found, in time."""
    found, seconds, _ = await _search([DEAD, DEAD])
    assert found.result is None and found.failures and seconds < 0.5 + SLOW


@pytest.mark.parametrize("moves", [(), (LEFT,)])
async def test_a_single_move_is_not_split(moves: Sequence[search_pb2.Direction]) -> None:
    """Where there is nothing to compare one searcher looks at everything; another if that one is dead."""
    script = knowing({UP: 0.1, DOWN: 0.4})
    found, _, services = await _search([script, script], moves)
    assert [_asked(service) for service in services] == [[[]], []]
    assert found.result is not None and found.result.move == DOWN
    found, _, [spare] = await _search([DEAD, script], moves)
    assert _asked(spare) == [[]]
    assert found.result is not None and found.result.move == DOWN


async def test_more_searchers_than_moves() -> None:
    """Those for whom no move is left are not asked."""
    script = knowing({UP: 0.1, DOWN: 0.4})
    _, _, services = await _search([script] * 3, [UP, DOWN])
    assert [_asked(service) for service in services] == [[[UP]], [[DOWN]], []]


async def test_a_cancelled_search_leaves_no_call_behind() -> None:
    """Who goes away takes all searches along."""
    ended = [asyncio.Event(), asyncio.Event()]

    def endless(mark: asyncio.Event) -> Script:
        async def script(
            request: search_pb2.StreamSearchRequest, context: Context
        ) -> AsyncIterator[search_pb2.StreamSearchResponse]:
            try:
                async for answer in scripted.one_depth_then_silence(request, context):
                    yield answer
            finally:
                mark.set()

        return script

    async with asyncio.timeout(20):
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await _search([endless(mark) for mark in ended], [UP, DOWN], soft=60)
        for mark in ended:
            await mark.wait()
    assert all(mark.is_set() for mark in ended)
