"""Whole games as the live platform's server plays them, with the true results.

The server posts to all living snakes at once and measures the time to the head of each answer. A snake whose
answer is late, refused or broken goes straight on, in the direction that it sent last. The dead stay on the
board, get no more /move, and get the /end.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import aiohttp
import msgspec

from arena.games import boards
from arena.games.boards import BoardInPlay, moved
from arena.players.player import Reported, View
from arena.players.request_bodies import Form, request_body
from arena.records import Rules
from searcher.engine.position import Direction, Position, Snake

MODES = {
    "standard": ("standard", "standard", 15, 0),
    "royale": ("royale", "standard", 14, 25),
    "constrictor": ("constrictor", "standard", 15, 0),
    "wrapped": ("wrapped", "standard", 15, 0),
    "wrapped_constrictor": ("wrapped_constrictor", "standard", 15, 0),
    "solo": ("solo", "standard", 15, 0),
    "snail_mode": ("standard", "snail_mode", 14, 0),
}
"""The ruleset, the map, the hazard damage and the turns between two steps of hazards, by the mode's name."""

LONGEST = 600
"""The turns after which a game counts as endless."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A snake of a game. The answers of the turns in `late` are dropped and reported as late."""

    url: str
    name: str
    late: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class PlatformGame:
    """A game to play."""

    mode: str
    size: int = 11
    timeout: int = 150
    """Milliseconds for an answer."""
    seed: int = 1
    newer: bool = False
    """Whether the bodies of a royale game have the platform's form after August 2026."""
    health: int = 100
    """The snakes' health at the start."""
    food: bool = True
    """Whether there is food at the start; no other appears."""
    shrink_every: int | None = None
    """None: the mode's."""
    id: str = field(default_factory=lambda: str(uuid4()))

    @property
    def rules(self) -> Rules:
        """The rules as the platform states them."""
        ruleset, map_name, damage, shrink_every = MODES[self.mode]
        return Rules(
            ruleset=ruleset,
            map=map_name,
            width=self.size,
            height=self.size,
            minimum_food=0,
            food_spawn_chance=0,
            hazard_damage=damage,
            shrink_every=shrink_every if self.shrink_every is None else self.shrink_every,
            max_turns=LONGEST,
        )


@dataclass(frozen=True, slots=True)
class Played:
    """The truth about one snake of a game."""

    game_id: str
    snake_id: str
    name: str
    url: str
    result: str | None
    """None in a solo game."""
    place: int | None
    """1 and the number of snakes that outlived it; None in a solo game."""
    turns: int
    moves: int
    """The number of /move posted to it."""
    visibly_late: int
    """The late answers that were not the move played, while the snake lived on to see it."""
    faults: tuple[str, ...]
    """Why answers were not accepted, except those that the game declared late."""


async def play(
    session: aiohttp.ClientSession, game: PlatformGame, seats: Sequence[Seat], turns: int | None = None
) -> tuple[Played, ...]:
    """Play a game to its end and return the truth, in the order of seats.

    With `turns` the game breaks off after so many: without an /end and without results.
    """
    played = _GameInPlay(session, game, seats)
    await played.run(turns)
    return played.truth()


@dataclass(slots=True)
class _Entrant:
    """A snake in play. `last` is the direction that it sent last."""

    seat: Seat
    report: Reported
    last: Direction = Direction.UP
    died: int | None = None
    moves: int = 0
    dropped: bool = False
    """Whether its answer of this turn, which was another direction, was declared late."""
    visibly_late: int = 0
    faults: list[str] = field(default_factory=list)


class _GameInPlay:
    """The state of one game. The rules name snakes by their index, requests by their own ids."""

    def __init__(self, session: aiohttp.ClientSession, game: PlatformGame, seats: Sequence[Seat]) -> None:
        self._session, self._game = session, game
        start = boards.set_up_board(game.rules, len(seats), game.seed)
        food = start.food if game.food else ()
        start = msgspec.structs.replace(start, health=(game.health,) * len(seats), food=food)
        self._board = BoardInPlay(game.rules, start)
        self._entrants = {
            snake.id: _Entrant(seat, Reported(self._named(snake), seat.name))
            for snake, seat in zip(self._position.snakes, seats, strict=True)
        }

    @property
    def _position(self) -> Position:
        return self._board.position

    def _named(self, snake: Snake) -> Snake:
        """Return the snake with an id that is the same whenever a game of this id is played."""
        return replace(snake, id=f"{self._game.id}-{snake.id}")

    def body(self, index: int) -> dict[str, Any]:
        """Return the body of a request to a snake in this turn."""
        game = self._game
        reports = tuple(entrant.report for entrant in self._entrants.values())
        view = View(game.id, game.rules, self._position, reports[index], reports)
        body = request_body(Form.PLATFORM, view, game.timeout)
        return self._in_newer_form(body, index) if game.newer else body

    def _in_newer_form(self, body: dict[str, Any], index: int) -> dict[str, Any]:
        """Return a body without the dead, with the map's name, and with the timeout after a late answer."""
        entrants, board = list(self._entrants.values()), body["board"]
        for one, entrant in [*zip(board["snakes"], entrants, strict=True), (body["you"], entrants[index])]:
            if entrant.report.latency is None:
                one["latency"] = str(self._game.timeout)
        alive = [entrant.died is None for entrant in entrants]
        board["snakes"] = [one for one, lives in zip(board["snakes"], alive, strict=True) if lives]
        ruleset = body["game"]["ruleset"]
        ruleset |= {"name": "standard", "settings": ruleset["settings"] | {"hazardMap": ""}}
        return body | {"game": body["game"] | {"map": "royale"}}

    async def run(self, turns: int | None) -> None:
        await self._post_to_all("start")
        while not self._is_over():
            if turns is not None and self._position.turn >= turns:
                return
            assert self._position.turn < LONGEST, "the game does not end"
            await self._turn()
        await self._post_to_all("end")

    def truth(self) -> tuple[Played, ...]:
        """Return the truth about each snake, as far as the game was played."""
        solo = self._game.rules.ruleset == "solo"
        deaths = [entrant.died for entrant in self._entrants.values()]
        places = [1 + sum(_outlived(other, died) for other in deaths) for died in deaths]
        found = []
        for entrant, place in zip(self._entrants.values(), places, strict=True):
            result = "loss" if place > 1 else "win" if places.count(1) == 1 else "draw"
            found.append(
                Played(
                    game_id=self._game.id,
                    snake_id=entrant.report.snake.id,
                    name=entrant.seat.name,
                    url=entrant.seat.url,
                    result=None if solo else result,
                    place=None if solo else place,
                    turns=self._position.turn,
                    moves=entrant.moves,
                    visibly_late=entrant.visibly_late,
                    faults=tuple(entrant.faults),
                )
            )
        return tuple(found)

    def _is_over(self) -> bool:
        return len(self._position.snakes) < (1 if self._game.rules.ruleset == "solo" else 2)

    async def _turn(self) -> None:
        before = self._position
        answers = await asyncio.gather(*(self._ask(snake.id) for snake in before.snakes))
        moves = dict(zip([snake.id for snake in before.snakes], answers, strict=True))
        deaths = self._board.play(moves)
        self._board.update(boards.update_board(self._game.rules, self._position, self._game.seed))
        survivors = {snake.id: snake for snake in self._position.snakes}
        for entrant in self._entrants.values():
            if entrant.died is not None:
                entrant.report = replace(entrant.report, latency=0)
        for snake in before.snakes:
            entrant = self._entrants[snake.id]
            after = moved(before, snake, moves[snake.id])
            assert survivors.get(snake.id, after) == after, "the rules have moved a snake elsewhere"
            if snake.id in deaths:
                entrant.died = self._position.turn
            alive = snake.id in survivors
            entrant.visibly_late += alive and entrant.dropped
            entrant.report = replace(entrant.report, snake=self._named(after))

    async def _ask(self, id_: str) -> Direction:
        """Post a /move and return the direction in which the snake goes."""
        entrant, turn = self._entrants[id_], self._position.turn
        entrant.moves += 1
        sent: Direction | None = None
        latency: int | None = None
        shout = ""
        now = asyncio.get_running_loop().time
        started = now()
        try:
            async with asyncio.timeout(self._game.timeout / 1000):
                answer = await self._session.post(f"{entrant.seat.url}/move", json=self.body(int(id_)))
            latency = round((now() - started) * 1000)
            async with answer:
                content = await answer.read()
            assert answer.status == 200, f"status {answer.status}"
            fields = json.loads(content)
            sent, shout = Direction[fields["move"].upper()], fields.get("shout") or ""
        except TimeoutError:
            entrant.faults.append(f"turn {turn}: no answer within {self._game.timeout} ms")
        except (aiohttp.ClientError, AssertionError, ValueError, LookupError, AttributeError) as error:
            entrant.faults.append(f"turn {turn}: {type(error).__name__}: {error}")
        declared_late = turn in entrant.seat.late
        entrant.dropped = declared_late and sent not in (None, entrant.last)
        if declared_late:
            sent, latency = None, None
        entrant.last = entrant.last if sent is None else sent
        entrant.report = replace(entrant.report, latency=latency, shout=shout)
        return entrant.last

    async def _post_to_all(self, webhook: str) -> None:
        await asyncio.gather(*(self._post(webhook, index) for index in range(len(self._entrants))))

    async def _post(self, webhook: str, index: int) -> None:
        entrant = self._entrants[str(index)]
        try:
            async with asyncio.timeout(self._game.timeout / 1000):
                url = f"{entrant.seat.url}/{webhook}"
                async with self._session.post(url, json=self.body(index)) as answer:
                    assert answer.status == 200, f"status {answer.status}"
                    await answer.read()
        except (TimeoutError, aiohttp.ClientError, AssertionError) as error:
            entrant.faults.append(f"/{webhook}: {type(error).__name__}: {error}")


def _outlived(other: int | None, died: int | None) -> bool:
    """Return whether a snake that died in the turn `other` outlived one that died in `died`; None: never."""
    return died is not None and (other is None or other > died)
