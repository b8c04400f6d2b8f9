"""Checks with the requests of the live platform. Its boards keep dead snakes without marking them.

The platform also probes snakes, repeats an interrupted game under the same ids, and sends /end to dead snakes
as well. The game here is scripted: the snakes move and die in the same way, whatever the snake answers.
"""

import asyncio
from collections.abc import Iterable
from uuid import uuid4

from arena.compliance.exchanges import (
    CheckResult,
    Endpoint,
    Exchange,
    Request,
    converse,
    converse_with,
    exchange,
    problem_in,
    problems_of,
    result_of,
)
from arena.players.player import Reported, View
from arena.players.request_bodies import Form, request_body
from arena.records import Rules
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from searcher.engine.position import Position, Snake

_SIZE = 11
_YOU = "you"
_CIRCLE = ("right", "up", "left", "down")
_STEPS = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}

_SCRIPT: dict[str, tuple[tuple[int, int], int, tuple[str, ...]]] = {
    _YOU: ((5, 5), 100, _CIRCLE * 3),
    "off the board": ((1, 9), 100, ("up", "up")),
    "starved": ((9, 9), 3, ("left", "down", "right")),
    "in a body": ((4, 1), 100, ("right",) * 4),
    "rival": ((8, 0), 100, (*_CIRCLE, *_CIRCLE, "down")),
}
"""The start, the health and the moves of each snake, by its name. The last move of an opponent is fatal. The
snake "in a body" runs into "rival"."""

_DEAD = ("off the board", "starved", "in a body")

_TURNS = len(_SCRIPT["rival"][2])
"""The number of turns until "rival", the last opponent, leaves the board."""

_RULES = Rules("standard", "standard", _SIZE, _SIZE, 1, 15, 15, 0, _TURNS)

_TWICE_AFTER = 0.05
"""Seconds after which a turn is posted a second time, as the platform may do."""

Step = tuple[str, int, str]
"""A webhook, a turn and the id of a snake."""


async def check_platform(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answers to the platform's requests."""
    return [
        await _dead_on_board(endpoint),
        await _dead_in_end(endpoint),
        await _probe(endpoint),
        await _same_turn_twice(endpoint),
        await _game_again(endpoint),
    ]


def scripted_requests(
    name: str, timeout: int, steps: Iterable[Step], snakes: Iterable[str] = tuple(_SCRIPT)
) -> list[Request]:
    """Return the requests of a game between some of the scripted snakes."""
    game_id = f"{TEST_GAME_PREFIX}{uuid4()}"
    requests = []
    for webhook, turn, id_ in steps:
        shown = tuple(_snake(each, turn) for each in snakes)
        position = Position(_SIZE, _SIZE, snakes=(), turn=turn)
        view = View(game_id, _RULES, position, _snake(id_, turn), shown)
        requests.append(Request(name, webhook, request_body(Form.PLATFORM, view, timeout)))
    return requests


def _snake(id_: str, turn: int) -> Reported:
    """Return a snake on a turn. A dead snake stays as it has died."""
    cell, health, moves = _SCRIPT[id_]
    body = [cell] * 3
    for move in moves[:turn]:
        (x, y), (dx, dy) = body[0], _STEPS[move]
        body = [(x + dx, y + dy), *body[:-1]]
    return Reported(Snake(id_, health - len(moves[:turn]), tuple(body)), id_)


async def _dead_on_board(endpoint: Endpoint) -> CheckResult:
    steps = [("start", 0, _YOU), *(("move", turn, _YOU) for turn in range(_TURNS)), ("end", _TURNS, _YOU)]
    requests = scripted_requests("the platform's game", endpoint.timeout, steps)
    expected = "dead snakes may stay on the board: off it, without health or inside another body"
    return _result("dead on the board", expected, await converse_with(endpoint, requests))


async def _dead_in_end(endpoint: Endpoint) -> CheckResult:
    steps = [(webhook, turn, id_) for webhook, turn in (("start", 0), ("end", _TURNS)) for id_ in _DEAD]
    requests = scripted_requests("the platform's game", endpoint.timeout, steps)
    expected = "/end is answered with 200 when `you` is dead and still on the board"
    return _result("dead on the board in /end", expected, await converse_with(endpoint, requests))


async def _probe(endpoint: Endpoint) -> CheckResult:
    steps = [(webhook, 0, _YOU) for webhook in ("start", "move", "end")]
    requests = scripted_requests("a probe", endpoint.timeout, steps, (_YOU,))
    async with endpoint.caller() as caller:
        index = await caller.ask("GET", "")
        exchanges = await converse(caller, requests)
    problem = problem_in("index", index, endpoint.timeout)
    expected = "a probe is answered: GET /, then /start, /move and /end of one snake on turn 0"
    problems = [*([f"{problem} (GET /)"] if problem else []), *problems_of(exchanges)]
    return result_of("probe", expected, problems, "correct answers")


async def _same_turn_twice(endpoint: Endpoint) -> CheckResult:
    steps = [("start", 0, _YOU), ("move", 0, _YOU)]
    start, move = scripted_requests("a turn that comes twice", endpoint.timeout, steps)
    async with endpoint.caller() as caller:

        async def later() -> Exchange:
            await asyncio.sleep(_TWICE_AFTER)
            return await exchange(caller, move)

        exchanges = [await exchange(caller, start)]
        exchanges += await asyncio.gather(exchange(caller, move), later())
    expected = "a turn that comes again before it is answered gets two answers"
    return _result("same turn twice", expected, exchanges)


async def _game_again(endpoint: Endpoint) -> CheckResult:
    begun = [("start", 0, _YOU), ("move", 0, _YOU), ("move", 1, _YOU)]
    steps = [*begun, *begun, ("end", 2, _YOU)]
    requests = scripted_requests("a game that comes again", endpoint.timeout, steps)
    expected = "a game that broke off is played again from turn 0 under the same ids"
    return _result("game again", expected, await converse_with(endpoint, requests))


def _result(name: str, expected: str, exchanges: list[Exchange]) -> CheckResult:
    return result_of(name, expected, problems_of(exchanges), f"{len(exchanges)} correct answers")
