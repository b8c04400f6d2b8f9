"""The API of films: GET /api/games/{game}/film.{form} answers with a page, a film or a picture of a game.

GET /api/films answers with the forms.
"""

import asyncio
import re
import sys
from contextlib import suppress
from http import HTTPStatus

import msgspec
from aiohttp import hdrs, web

from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.extras import MissingExtraError
from console.film.forms import FORMS, Film, FilmError, Order
from console.store.values import Game
from console.web.games import asked_game
from console.web.replies import RefusedError, json_reply, whole_number

log = get_logger(__name__)

SLOTS = web.AppKey("slots of films", asyncio.Semaphore)
"""A film takes a slot while it is made."""

MOST = 2
"""The most films that are made at once."""

_COMMAND = (sys.executable, "-m", "console.film")

MOST_SECONDS = 60.0
"""Seconds that a film may take."""

_NUMBERS = ("size", "speed", "first", "last")
_UNSAFE = re.compile(r"[^\w.-]+", re.ASCII)


async def forms(_request: web.Request) -> web.Response:
    """Answer with the forms, each with the reason why this console can't make it, or null."""
    return json_reply({form: _obstacle(form) for form in FORMS})


def _obstacle(form: str) -> str | None:
    try:
        Film(form=form).check()
    except MissingExtraError as error:
        return f"this console makes no {form.upper()}: {error}"
    return None


async def film(request: web.Request) -> web.Response:
    """Answer with a game in a form, by default all its turns; `?size=&speed=&first=&last=&search=1` as Film.

    A process makes it. Answer 429 while the most films are being made, and 503 if the process fails.
    """
    try:
        wanted = _wanted(request)
        wanted.check()
        game = await asked_game(request)
        wanted.turns_of(game)
    except FilmError as error:
        raise RefusedError(HTTPStatus.BAD_REQUEST, str(error)) from error
    except MissingExtraError as error:
        reason = str(_obstacle(request.match_info["form"]))
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, reason) from error
    slots = request.app[SLOTS]
    if slots.locked():
        reason = f"{MOST} films are being made: try again in some seconds"
        raise RefusedError(HTTPStatus.TOO_MANY_REQUESTS, reason)
    async with slots:
        return await _made(game, wanted)


def _wanted(request: web.Request) -> Film:
    """Return the wish in a request. Raises FilmError that names the invalid parameter."""
    query = request.query
    if unknown := query.keys() - {*_NUMBERS, "search"}:
        raise FilmError(
            f"no such parameter: {min(unknown)}; the parameters are {', '.join(_NUMBERS)}, search"
        )
    numbers: dict[str, int] = {}
    for name in _NUMBERS:
        if name in query:
            if (number := whole_number(query[name])) is None:
                raise FilmError(f"{name} must be a whole number, not {query[name]}")
            numbers[name] = number
    return Film(form=request.match_info["form"], search=query.get("search") == "1", **numbers)


async def _made(game: Game, wanted: Film) -> web.Response:
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        order = msgspec.json.encode(Order(game, wanted))
        async with asyncio.timeout(MOST_SECONDS):
            document, problem = await process.communicate(order)
    except TimeoutError:
        reason = f"no film within {MOST_SECONDS:g} s: choose fewer turns or a smaller size"
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, reason) from None
    finally:
        # The reader may have gone.
        with suppress(ProcessLookupError):
            process.kill()
        await asyncio.shield(process.wait())
    if process.returncode:
        reason = problem.decode(errors="replace").strip().rpartition("\n")[2]
        log.warning("film failed", game_id=game.id, form=wanted.form, reason=reason)
        raise RefusedError(HTTPStatus.SERVICE_UNAVAILABLE, f"the film failed: {reason}")
    file = f"{_UNSAFE.sub('-', game.id)}.{wanted.form}"
    headers = {hdrs.CONTENT_DISPOSITION: f'attachment; filename="{file}"', hdrs.CACHE_CONTROL: "no-store"}
    return web.Response(body=document, content_type=FORMS[wanted.form], headers=headers)


HANDLERS = (web.get("/api/films", forms), web.get("/api/games/{game}/film.{form}", film))
