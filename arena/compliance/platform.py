"""Checks with the requests of the live platform. Its boards keep dead snakes without marking them.

The platform also probes snakes, repeats an interrupted game under the same ids, and sends /end to dead snakes
as well. The game here is scripted: the opponents die one after the other, whatever the snake plays.
"""

import asyncio
from dataclasses import replace
from uuid import uuid4

from arena.compliance.exchanges import (
    Caller,
    CheckResult,
    Endpoint,
    Exchange,
    Request,
    exchange,
    fields_of,
    problem_in,
    problems_of,
    result_of,
)
from arena.compliance.recorded import STEPS
from arena.players.request_bodies import Form, Reported, Scene, request_body
from arena.records import Rules
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from searcher.engine.position import Snake

_SIZE = 11
_YOU = "you"
_CIRCLE = ("right", "up", "left", "down")

_SCRIPT: dict[str, tuple[tuple[int, int], int, tuple[str, ...]]] = {
    _YOU: ((5, 5), 100, ()),
    "off the board": ((1, 9), 100, ("up", "up")),
    "starved": ((9, 9), 3, ("left", "down", "right")),
    "in a body": ((4, 1), 100, ("right",) * 4),
    "rival": ((8, 0), 100, (*_CIRCLE, *_CIRCLE, "down")),
}
"""The start, the health and the moves of each snake, by its name. The last move is fatal. The snake "in a
body" runs into "rival"."""

_DEAD = ("off the board", "starved", "in a body")

_TURNS = max(len(moves) for _, _, moves in _SCRIPT.values())
"""The number of turns until "rival", the last opponent, leaves the board."""

_RULES = Rules("standard", "standard", _SIZE, _SIZE, 1, 15, 15, 0, _TURNS)

_TWICE_AFTER = 0.05
"""Seconds after which a turn is posted a second time, as the platform may do."""


async def check_platform(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answers to the platform's requests."""
    return [
        await _dead_on_board(endpoint),
        await _dead_in_end(endpoint),
        await _probe(endpoint),
        await _same_turn_twice(endpoint),
        await _game_again(endpoint),
    ]


class ScriptedGame:
    """The game in play. `you` moves as the snake under check answers."""

    def __init__(self, name: str, timeout: int, snakes: tuple[str, ...] = tuple(_SCRIPT)) -> None:
        self._name = name
        self._first = self._scene = Scene(
            game_id=f"{TEST_GAME_PREFIX}{uuid4()}",
            rules=_RULES,
            timeout=timeout,
            turn=0,
            snakes=tuple(_at_start(id_) for id_ in snakes),
            food=(),
            hazards=(),
        )

    @property
    def turn(self) -> int:
        """The turn to be played."""
        return self._scene.turn

    def restart(self) -> None:
        """Go back to turn 0 under the same ids."""
        self._scene = self._first

    def request(self, webhook: str, id_: str = _YOU) -> Request:
        """Return a request to a snake, living or dead."""
        return Request(self._name, webhook, request_body(Form.PLATFORM, self._scene, self._one(id_)))

    def play(self, move: str, milliseconds: float) -> None:
        """Play a turn in which the snake under check made this move, after this many milliseconds."""
        snakes = []
        for one in self._scene.snakes:
            script = _SCRIPT[one.name][2]
            if one.name == _YOU:
                one = replace(one, snake=_moved(one.snake, move), latency=round(milliseconds))
            elif self.turn < len(script):
                one = replace(one, snake=_moved(one.snake, script[self.turn]))
            snakes.append(one)
        self._scene = replace(self._scene, turn=self.turn + 1, snakes=tuple(snakes))

    @property
    def is_over(self) -> bool:
        """Whether the script has ended, or the snake under check has left the board or met a living body."""
        you = self._one(_YOU)
        living = [one for one in self._scene.snakes if one is you or self.turn < len(_SCRIPT[one.name][2])]
        parts = [part for one in living for part in one.snake.body[one is you :]]
        head = you.snake.body[0]
        on_board = all(0 <= place < _SIZE for place in head)
        # On turn 0 all parts of a snake lie on its cell.
        return self.turn >= _TURNS or not on_board or (self.turn > 0 and head in parts)

    def _one(self, id_: str) -> Reported:
        return next(one for one in self._scene.snakes if one.name == id_)


def _at_start(id_: str) -> Reported:
    cell, health, _ = _SCRIPT[id_]
    return Reported(Snake(id_, health, (cell,) * 3), id_)


def _moved(snake: Snake, move: str) -> Snake:
    (x, y), (dx, dy) = snake.body[0], STEPS[move]
    return Snake(snake.id, snake.health - 1, ((x + dx, y + dy), *snake.body[:-1]))


async def _play(caller: Caller, game: ScriptedGame, turns: int = _TURNS) -> list[Exchange]:
    """Post the /start and the moves of a game, up to its end or the first answer with a problem."""
    exchanges = [await exchange(caller, game.request("start"))]
    while game.turn < turns and not exchanges[-1].problem:
        exchanges.append(await exchange(caller, game.request("move")))
        answer = exchanges[-1].answer
        if not exchanges[-1].problem:
            game.play(str((fields_of(answer.content) or {})["move"]), answer.milliseconds)
        if game.is_over:
            break
    return exchanges


async def _dead_on_board(endpoint: Endpoint) -> CheckResult:
    game = ScriptedGame("the platform's game", endpoint.timeout)
    async with endpoint.caller() as caller:
        exchanges = await _play(caller, game)
        exchanges.append(await exchange(caller, game.request("end")))
    expected = "dead snakes may stay on the board: off it, without health or inside another body"
    return _result("dead on the board", expected, exchanges)


async def _dead_in_end(endpoint: Endpoint) -> CheckResult:
    game = ScriptedGame("the platform's game", endpoint.timeout)
    starts = [game.request("start", id_) for id_ in _DEAD]
    while not game.is_over:
        # In this game `you` is another author's snake, which moves in a circle.
        game.play(_CIRCLE[game.turn % len(_CIRCLE)], 0)
    ends = [game.request("end", id_) for id_ in _DEAD]
    async with endpoint.caller() as caller:
        exchanges = [await exchange(caller, request) for request in (*starts, *ends)]
    expected = "/end is answered with 200 when `you` is dead and still on the board"
    return _result("dead on the board in /end", expected, exchanges)


async def _probe(endpoint: Endpoint) -> CheckResult:
    game = ScriptedGame("a probe", endpoint.timeout, (_YOU,))
    async with endpoint.caller() as caller:
        index = await caller.ask("GET", "")
        exchanges = [await exchange(caller, game.request(webhook)) for webhook in ("start", "move", "end")]
    problem = problem_in("index", index, endpoint.timeout)
    expected = "a probe is answered: GET /, then /start, /move and /end of one snake on turn 0"
    return result_of(
        "probe",
        expected,
        [*([f"{problem} (GET /)"] if problem else []), *problems_of(exchanges)],
        "correct answers",
    )


async def _same_turn_twice(endpoint: Endpoint) -> CheckResult:
    game = ScriptedGame("a turn that comes twice", endpoint.timeout)
    async with endpoint.caller() as caller:
        exchanges = [await exchange(caller, game.request("start"))]
        again = asyncio.create_task(_later(caller, game.request("move")))
        exchanges += [await exchange(caller, game.request("move")), await again]
    expected = "a turn that comes again before it is answered gets two answers"
    return _result("same turn twice", expected, exchanges)


async def _later(caller: Caller, request: Request) -> Exchange:
    await asyncio.sleep(_TWICE_AFTER)
    return await exchange(caller, request)


async def _game_again(endpoint: Endpoint) -> CheckResult:
    game = ScriptedGame("a game that comes again", endpoint.timeout)
    async with endpoint.caller() as caller:
        exchanges = await _play(caller, game, turns=2)
        game.restart()
        exchanges += await _play(caller, game, turns=2)
        exchanges.append(await exchange(caller, game.request("end")))
    expected = "a game that broke off is played again from turn 0 under the same ids"
    return _result("game again", expected, exchanges)


def _result(name: str, expected: str, exchanges: list[Exchange]) -> CheckResult:
    return result_of(name, expected, problems_of(exchanges), f"{len(exchanges)} correct answers")
