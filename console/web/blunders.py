"""The API of reviews: POST /api/games/{game}/blunders starts one, GET follows it by server-sent events."""

from collections.abc import AsyncGenerator

from aiohttp import web

from console.reviews.game_review import NoResultError
from console.reviews.review import Review, our_snakes
from console.reviews.reviewer import BusyError, Reviewer
from console.store.feed import server_event
from console.store.values import Game
from console.web.games import asked_game
from console.web.replies import RefusedError, json_reply, send_events

REVIEWER = web.AppKey("reviewer", Reviewer)


async def start(request: web.Request) -> web.Response:
    """Start the review of a game for the snake with the id ?snake=, by default our first snake.

    A review that is stored, is known or runs is not started again. Answer 409 while another review that was
    asked for runs.
    """
    game, snake = await _game_and_snake(request)
    try:
        await request.app[REVIEWER].start(game, snake)
    except BusyError as error:
        raise RefusedError(409, str(error)) from error
    except NoResultError as error:
        raise RefusedError(503, str(error)) from error
    return json_reply({"game": game.id, "snake": game.snakes[snake].id}, status=202)


async def events(request: web.Request) -> web.StreamResponse:
    """Send the events of a review from its beginning: `turn`, then `review` or `problem`.

    A stored review has only the last one.
    """
    game, snake = await _game_and_snake(request)
    reviewer = request.app[REVIEWER]
    if (review := reviewer.reviews.get((game.id, snake))) is not None:
        return await send_events(request, review.read())
    if (stored := await reviewer.stored(game, snake)) is not None:
        return await send_events(request, _alone(stored))
    raise RefusedError(404, f"no review of game {game.id} was started")


HANDLERS = (
    web.post("/api/games/{game}/blunders", start),
    web.get("/api/games/{game}/blunders", events),
)


async def _alone(review: Review) -> AsyncGenerator[bytes]:
    yield server_event("review", review)


async def _game_and_snake(request: web.Request) -> tuple[Game, int]:
    """Return the finished game and the snake of a request. Raises RefusedError."""
    game, snake = await asked_game(request), request.query.get("snake")
    if not game.over:
        raise RefusedError(409, "the game is being played")
    numbers = {each.id: number for number, each in enumerate(game.snakes)}
    if snake is not None and snake not in numbers:
        raise RefusedError(404, f"no such snake: {snake}")
    if not numbers:
        raise RefusedError(404, f"no snake of game {game.id} is known")
    return game, our_snakes(game)[0] if snake is None else numbers[snake]
