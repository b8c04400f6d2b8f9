"""The API of reviews: POST /api/games/{game}/blunders starts one, GET follows it by server-sent events."""

from collections.abc import AsyncGenerator

from aiohttp import web

from console.reviews.game_review import NoResultError
from console.reviews.review import Review, our_snakes
from console.reviews.reviewer import BusyError, Reviewer
from console.store.feed import server_event
from console.store.values import Game
from console.web.games import LIBRARY
from console.web.replies import error_reply, json_reply, no_game, send_events

REVIEWER = web.AppKey("reviewer", Reviewer)


async def start(request: web.Request) -> web.Response:
    """Start the review of a game for the snake with the id ?snake=, by default our first snake.

    A review that is stored, is known or runs is not started again. Answer 409 while another review that was
    asked for runs.
    """
    found = await _game_and_snake(request)
    if isinstance(found, web.Response):
        return found
    game, snake = found
    try:
        await request.app[REVIEWER].start(game, snake)
    except BusyError as error:
        return error_reply(409, str(error))
    except NoResultError as error:
        return error_reply(503, str(error))
    return json_reply({"game": game.id, "snake": game.snakes[snake].id}, status=202)


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a review from its beginning: `turn`, then `review` or `problem`.

    A stored review has only the last one.
    """
    found = await _game_and_snake(request)
    if isinstance(found, web.Response):
        return found
    game, snake = found
    reviewer = request.app[REVIEWER]
    if (review := reviewer.reviews.get((game.id, snake))) is not None:
        return await send_events(request, review.read())
    if (stored := await reviewer.stored(game, snake)) is not None:
        return await send_events(request, _alone(stored))
    return error_reply(404, f"no review of game {game.id} was started")


HANDLERS = (
    web.post("/api/games/{game}/blunders", start),
    web.get("/api/games/{game}/blunders", events),
)


async def _alone(review: Review) -> AsyncGenerator[bytes]:
    yield server_event("review", review)


async def _game_and_snake(request: web.Request) -> tuple[Game, int] | web.Response:
    """Return the finished game and the snake of a request, or the error in them."""
    name, snake = request.match_info["game"], request.query.get("snake")
    game = await request.app[LIBRARY].game(name) if LIBRARY in request.app else None
    if game is None:
        return no_game(name)
    if not game.over:
        return error_reply(409, "the game is being played")
    numbers = {each.id: number for number, each in enumerate(game.snakes)}
    if snake is not None and snake not in numbers:
        return error_reply(404, f"no such snake: {snake}")
    if not numbers:
        return error_reply(404, f"no snake of game {name} is known")
    return game, our_snakes(game)[0] if snake is None else numbers[snake]
