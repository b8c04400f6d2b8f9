"""The API of reviews: POST /api/games/{game}/blunders starts one, GET follows it by server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import web

from battlesnake_search.plan import OWN
from gateway.console.game_review import Budget, GameReview, NoResultError
from gateway.console.games import LIBRARY
from gateway.console.replies import error_reply, json_reply, send_events
from gateway.console.review import TurnReview, our_snakes
from gateway.readiness import POOL
from gateway.replay.values import Game
from gateway.store.feed import server_event

BUDGET = Budget()

MOST_KEPT = 32
"""The number of newest reviews that can be read again."""

_POLL = 0.1
"""Seconds between two checks whether a game has begun, because a game ends the review."""

Key = tuple[str, int]
"""The id of a game, and the number of a snake in it."""


@dataclass(eq=False)
class RunningReview:
    """A review with its events so far. `changed` is set and replaced with each event."""

    task: "asyncio.Task[None] | None" = None
    events: list[bytes] = field(default_factory=list)
    is_over: bool = False
    is_found: bool = False
    """Whether the last event is the whole review."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, event: str, data: object, is_last: bool = False) -> None:
        """Add an event for all readers."""
        self.events.append(server_event(event, data))
        self.is_over, self.is_found = is_last, event == "review"
        self.changed.set()
        self.changed = asyncio.Event()

    def turn(self, turn: TurnReview, done: float) -> None:
        """Add the event of a reviewed turn. A turn may be reviewed twice."""
        self.tell("turn", {"done": round(done, 3), "review": turn})

    async def read(self) -> AsyncGenerator[bytes]:
        """Yield all events, from the first to the last one."""
        number = 0
        while True:
            while number < len(self.events):
                yield self.events[number]
                number += 1
            if self.is_over:
                return
            await self.changed.wait()


REVIEWS = web.AppKey("reviews", dict[Key, RunningReview])
"""The newest reviews, the oldest first. At most one of them runs."""


async def running(app: web.Application) -> AsyncIterator[None]:
    """Keep reviews while the admin port serves, and end a running review afterwards: a cleanup context."""
    reviews = app[REVIEWS] = {}
    yield
    for review in reviews.values():
        if review.task and not review.task.done():
            review.task.cancel()
            with suppress(asyncio.CancelledError):
                await review.task


def add_review(reviews: dict[Key, RunningReview], key: Key) -> RunningReview:
    """Add and return a new review. It replaces the review with its key or, at the limit, the oldest one."""
    reviews.pop(key, None)
    while len(reviews) >= MOST_KEPT:
        del reviews[next(iter(reviews))]
    review = reviews[key] = RunningReview()
    return review


async def start(request: web.Request) -> web.Response:
    """Start the review of a game for the snake with the id ?snake=, by default our first snake.

    A review that is known or runs is not started again. Answer 409 while another review runs, or while a game
    is played, because searches would take time from that game's moves.
    """
    found = await _game_and_snake(request)
    if isinstance(found, web.Response):
        return found
    game, snake = found
    reviews, library = request.app[REVIEWS], request.app[LIBRARY]
    started = json_reply({"game": game.id, "snake": game.snakes[snake].id}, status=202)
    former = reviews.get((game.id, snake))
    if former is not None and (former.is_found or not former.is_over):
        return started
    if not all(review.is_over for review in reviews.values()):
        return error_reply(409, "another game is being reviewed: try again when it is finished")
    if library.live:
        return error_reply(409, "a game is being played: a review would take time from its moves")
    try:
        client = request.app[POOL][OWN]
    except KeyError:
        return error_reply(503, "the routes name no searcher but those of their snakes")
    review = add_review(reviews, (game.id, snake))
    reviewing = GameReview(client, game, snake, BUDGET, progress=review.turn)
    review.task = asyncio.create_task(_run(request.app, review, reviewing))
    return started


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a review from its beginning: `turn`, then `review` or `problem`."""
    found = await _game_and_snake(request)
    if isinstance(found, web.Response):
        return found
    game, snake = found
    review = request.app[REVIEWS].get((game.id, snake))
    if review is None:
        return error_reply(404, f"no review of game {game.id} was started")
    return await send_events(request, review.read())


HANDLERS = (
    web.post("/api/games/{game}/blunders", start),
    web.get("/api/games/{game}/blunders", events),
)


async def _game_and_snake(request: web.Request) -> tuple[Game, int] | web.Response:
    """Return the finished game and the snake of a request, or the error in them."""
    name, snake = request.match_info["game"], request.query.get("snake")
    game = await request.app[LIBRARY].game(name) if LIBRARY in request.app else None
    if game is None:
        return error_reply(404, f"no such game: {name}")
    if not game.over:
        return error_reply(409, "the game is being played")
    numbers = {each.id: number for number, each in enumerate(game.snakes)}
    if snake is not None and snake not in numbers:
        return error_reply(404, f"no such snake: {snake}")
    if not numbers:
        return error_reply(404, f"no snake of game {name} is known")
    return game, our_snakes(game)[0] if snake is None else numbers[snake]


async def _run(app: web.Application, review: RunningReview, reviewing: GameReview) -> None:
    """Run a review until a game begins, and add its last event: the result or the problem."""
    task = asyncio.create_task(reviewing.run())
    problem = "the gateway ends"
    try:
        while not task.done() and not app[LIBRARY].live:
            await asyncio.wait([task], timeout=_POLL)
        if task.done():
            review.tell("review", task.result(), is_last=True)
        problem = "stopped: a game is being played"
    except NoResultError as error:
        problem = str(error)
    finally:
        task.cancel()
        if not review.is_over:
            review.tell("problem", {"error": problem}, is_last=True)
