"""The API of analyses: /api/strategies, /api/analyze, /api/evaluate and /api/advance."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from http import HTTPStatus

import grpc.aio
import msgspec
from aiohttp import web

from battlesnake_search import translate
from battlesnake_search.contract import search_pb2
from battlesnake_search.reader import BadBody
from battlesnake_search.searcher_client import SearcherClient
from console.searchers import Searchers
from console.store.feed import server_event
from console.web import positions
from console.web.positions import (
    MOST_MS,
    MOST_THREADS,
    Question,
    SearchQuestion,
    TurnQuestion,
    pasted,
    plan_of,
    position_asked,
)
from console.web.replies import decode_posted, error_reply, json_reply, send_events, words_of

MOST = 2
"""The limit of concurrent analyses: two strategies side by side. Games use the same searchers."""

SLOTS = web.AppKey("analysis slots", asyncio.Semaphore)
SEARCHERS = web.AppKey("searchers", Searchers)

_LIST_TIMEOUT = 3.0

_HEARTBEAT = 0.5
"""Seconds without a depth after which the browser gets a comment, to detect a closed connection."""


class _Pasted(msgspec.Struct, frozen=True):
    text: str


async def strategies(request: web.Request) -> web.StreamResponse:
    """Answer with all searchers, and with the strategies of the first or of the one that ?searcher= names."""
    troubles = await request.app[SEARCHERS].troubles()
    client = _searcher(request, request.query.get("searcher", ""))
    searchers = [{"address": address, "serving": not trouble} for address, trouble in troubles.items()]
    limits = {"time_ms": MOST_MS, "threads": MOST_THREADS}
    body = {"searchers": searchers, "searcher": client.target, "limits": limits}
    return json_reply(body | positions.strategies(await client.list_strategies(_LIST_TIMEOUT)))


async def analyze(request: web.Request) -> web.StreamResponse:
    """Search, and answer with an event for each depth, then with `final` or `error`."""
    question = decode_posted(SearchQuestion, await request.read())
    client = _searcher(request, question.searcher)
    # Errors are found before the first event, because after it the status can't change.
    asked = translate.search_request(position_asked(question), plan_of(question))
    asked.limits.exact_root_moves = True
    slots = request.app[SLOTS]
    if slots.locked():
        reason = f"{MOST} analyses are running, which is the most at once: try again later"
        return error_reply(HTTPStatus.TOO_MANY_REQUESTS, reason)
    async with slots:
        # If the browser has disconnected, its search ends.
        return await send_events(request, _events(client, asked, question.time_ms))


async def evaluate(request: web.Request) -> web.StreamResponse:
    """Answer with an evaluator's scores of a position."""
    question = decode_posted(Question, await request.read())
    asked = translate.evaluate_request(position_asked(question), plan_of(question))
    return json_reply(positions.evaluation(await _searcher(request, question.searcher).evaluate(asked)))


async def advance(request: web.Request) -> web.StreamResponse:
    """Answer with the position after a turn."""
    question = decode_posted(TurnQuestion, await request.read())
    asked = translate.advance_request(position_asked(question), question.moves)
    return json_reply(positions.turn(await _searcher(request, question.searcher).advance(asked)))


async def paste(request: web.Request) -> web.StreamResponse:
    """Answer with a pasted body, changed so that a search accepts it."""
    posted = decode_posted(_Pasted, await request.read())
    return json_reply(pasted(posted.text.encode(errors="surrogatepass")))


HANDLERS = (
    web.get("/api/strategies", strategies),
    web.post("/api/paste", paste),
    web.post("/api/analyze", analyze),
    web.post("/api/evaluate", evaluate),
    web.post("/api/advance", advance),
)


def _searcher(request: web.Request, address: str) -> SearcherClient:
    """Return the client of a searcher, by default of the first. Raises BadBody for an unknown one."""
    addresses = request.app[SEARCHERS].addresses
    if address and address not in addresses:
        raise BadBody(f"is {address!r}; valid: {', '.join(addresses)}", "searcher")
    return request.app[SEARCHERS][address or addresses[0]]


async def _events(
    client: SearcherClient, asked: search_pb2.StreamSearchRequest, time_ms: int
) -> AsyncGenerator[bytes]:
    """Yield the decision of each depth as an event, and a comment after each long silence.

    Closing the iterator ends the search.
    """
    ids = [snake.id for snake in asked.position.board.snakes]
    depths = client.depths(asked, time_ms / 1000)
    following = asyncio.ensure_future(anext(depths, None))
    try:
        while True:
            if not (await asyncio.wait([following], timeout=_HEARTBEAT))[0]:
                yield b":\n\n"
            elif (found := following.result()) is None:
                return
            else:
                decision = positions.decision(found.result, ids, time_ms)
                yield server_event("final" if found.final else "depth", decision)
                following = asyncio.ensure_future(anext(depths, None))
    except grpc.aio.AioRpcError as error:
        yield server_event("error", {"error": words_of(error), "code": error.code().name})
    finally:
        following.cancel()
        with suppress(asyncio.CancelledError, grpc.aio.AioRpcError):
            await following
        await depths.aclose()
