"""One game, played as by the official engine: first all snakes decide, then all move simultaneously."""

import asyncio
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import msgspec

from arena.games import boards
from arena.games.boards import BoardInPlay, direction_of, move_word
from arena.games.entrants import name_on_board
from arena.players.player import PLAIN, ChosenMove, FaultError, Player, Reported, View
from arena.records import (
    Decision,
    Ending,
    Entrant,
    Fault,
    Game,
    Looks,
    RecordedDeath,
    Setup,
    Start,
    Turn,
)
from battlesnake_search.viewer.colours import colour_in, free_colours
from searcher.engine.position import Direction, Position, Snake

LATE_AFTER = 20.0
"""A search may exceed its time limit by this many milliseconds, because it seldom reads its clock.

A URL has no such grace: its limit is the timeout of the official engine."""

_ANSWERS: tuple[Fault, ...] = ("invalid", "refused")
"""The faults of a player that answers."""

_FIRST_MOVE = Direction.UP
"""The official engine's move for a snake that has not answered yet."""


async def play_game(
    setup: Setup,
    players: Sequence[Player],
    start: Start,
    seats: tuple[int, ...],
    seed: int,
    name: str,
    explore: Callable[[View], Direction | None] = lambda _: None,
) -> Game:
    """Play a game: `players` are in the order of entrants, `seats` gives the entrant of each snake.

    `seed` determines food and hazards. `name` determines the seeds of the players' searches. The id of the
    game is the nonce of the match and the name. A move from `explore` replaces the player's move. The
    player's report stays.
    """
    return await _GameInPlay(setup, players, start, seats, seed, name, explore).run()


@dataclass
class _GameInPlay:
    """The state of one game. Snakes are named by their index on the first board."""

    _setup: Setup
    _players: Sequence[Player]
    _start: Start
    _seats: tuple[int, ...]
    _seed: int
    _name: str
    _explore: Callable[[View], Direction | None]

    def __post_init__(self) -> None:
        self._rules = self._setup.rules
        self._board = BoardInPlay(self._rules, self._start)
        self._bodies = {snake.id: snake for snake in self._position.snakes}
        self._names = {id_: name_on_board(self._entrant(id_)) for id_ in self._bodies}
        self._last = dict.fromkeys(self._bodies, _FIRST_MOVE)
        self._latencies = dict.fromkeys(self._bodies, 0)
        self._looks: dict[str, Looks] = {}
        self._turns: list[Turn] = []
        self._deaths: list[RecordedDeath | None] = [None] * len(self._seats)

    async def run(self) -> Game:
        await self._look()
        for id_ in self._bodies:
            await self._player(id_).start(self._view(id_))
        while (ending := self._ending()) is None:
            await self._turn()
        if ending in ("one left", "none left"):
            await self._last_requests()
        for id_ in self._bodies:
            await self._player(id_).end(self._view(id_))
        return Game(
            seats=self._seats,
            start=self._start,
            turns=tuple(self._turns),
            deaths=tuple(self._deaths),
            ending=ending,
            void=void_reason(self._setup.entrants, self._seats, self._turns),
            looks=tuple(self._looks.values()) if any(each.name for each in self._looks.values()) else (),
        )

    async def _look(self) -> None:
        """Let the snakes at URLs choose looks and names. Each other entrant gets a colour unlike theirs."""
        named = {id_: await self._player(id_).looks() for id_ in self._bodies}
        colours = free_colours(filter(None, (colour_in(each.color) for each in named.values())))
        for (id_, looks), seat in zip(named.items(), self._seats, strict=True):
            given = msgspec.structs.replace(PLAIN, color=colours[seat % len(colours)])
            self._looks[id_] = looks if looks.name else given
            self._names[id_] = looks.name or self._names[id_]

    async def _last_requests(self) -> None:
        """Do as the official engine, which finds that a game is over after one more turn of requests."""
        for snake in self._position.snakes:
            begun = perf_counter()
            await self._player(snake.id).outlive(self._view(snake.id))
            self._latencies[snake.id] = int((perf_counter() - begun) * 1000)
        self._board.end(self._seed)

    async def _turn(self) -> None:
        decisions = await self._decide()
        moves = {id_: direction_of(decision.move) for id_, decision in decisions.items()}
        before = self._position
        for id_, death in self._board.play(moves).items():
            self._bodies[id_] = boards.moved(before, self._bodies[id_], moves[id_])
            self._deaths[int(id_)] = RecordedDeath(len(self._turns), death.cause, death.by)
        update = boards.update_board(self._rules, self._position, self._seed)
        self._board.update(update)
        self._bodies.update((snake.id, snake) for snake in self._position.snakes)
        listed = tuple(decisions.get(str(index)) for index in range(len(self._seats)))
        self._turns.append(Turn(listed, update.food, update.hazards, update.restart))

    @property
    def _position(self) -> Position:
        return self._board.position

    async def _decide(self) -> dict[str, Decision]:
        """Return all decisions. Searches in this process decide one by one, then all remote players."""
        ids = [snake.id for snake in self._position.snakes]
        remote = [id_ for id_ in ids if self._player(id_).remote]
        decisions = {id_: await self._ask(id_) for id_ in ids if id_ not in remote}
        answers = await asyncio.gather(*map(self._ask, remote))
        return decisions | dict(zip(remote, answers, strict=True))

    async def _ask(self, id_: str) -> Decision:
        fault, chosen, view = None, ChosenMove(self._last[id_]), self._view(id_)
        begun = perf_counter()
        try:
            chosen = await self._player(id_).choose(view)
        except FaultError as error:
            fault = error.fault
        milliseconds = (perf_counter() - begun) * 1000
        if fault is None and self._is_late(id_, milliseconds):
            fault, chosen = "late", replace(chosen, move=self._last[id_])
        if fault is None and (move := self._explore(view)) is not None:
            chosen = replace(chosen, move=move)
        self._last[id_], self._latencies[id_] = chosen.move, int(milliseconds)
        return Decision(
            move_word(chosen.move),
            round(milliseconds, 2),
            fault,
            chosen.depth,
            chosen.nodes,
            chosen.score,
            self._pv_by_seat(chosen.pv),
        )

    def _pv_by_seat(self, pv: tuple[str, ...]) -> tuple[str, ...]:
        """Return a principal variation of the living snakes with a letter for every snake of the game."""
        places = [int(snake.id) for snake in self._position.snakes]
        turns = [dict(zip(places, letters, strict=True)) for letters in pv]
        return tuple("".join(turn.get(seat, "-") for seat in range(len(self._seats))) for turn in turns)

    def _is_late(self, id_: str, milliseconds: float) -> bool:
        limit = self._entrant(id_).limits.milliseconds
        return limit is not None and milliseconds > limit + LATE_AFTER

    def _ending(self) -> Ending | None:
        alive = len(self._position.snakes)
        if self._setup.strict and self._turns and any(map(_is_fault, self._turns[-1].decisions)):
            return "strict"
        if not alive:
            return "none left"
        if alive == 1 and len(self._seats) > 1:
            return "one left"
        return "turn limit" if len(self._turns) >= self._rules.max_turns else None

    def _player(self, id_: str) -> Player:
        return self._players[self._seats[int(id_)]]

    def _entrant(self, id_: str) -> Entrant:
        return self._setup.entrants[self._seats[int(id_)]]

    def _view(self, id_: str) -> View:
        position = self._position
        ids = [snake.id for snake in position.snakes]
        return View(
            game_id="-".join(filter(None, (self._setup.nonce, self._name))),
            rules=self._rules,
            position=replace(position, you=ids.index(id_)) if id_ in ids else position,
            you=self._reported(self._bodies[id_]),
            snakes=tuple(map(self._reported, position.snakes)),
            seed=zlib.crc32(f"{self._name} {id_} {position.turn}".encode()),
        )

    def _reported(self, snake: Snake) -> Reported:
        id_ = snake.id
        return Reported(snake, self._names[id_], self._latencies[id_], looks=self._looks[id_])


def void_reason(entrants: Sequence[Entrant], seats: Sequence[int], turns: Sequence[Turn]) -> str | None:
    """Return why a game does not count, naming the entrant without an accepted move, or None if it counts."""
    for index, entrant in enumerate(entrants):
        snakes = [snake for snake, seat in enumerate(seats) if seat == index]
        decisions = [turn.decisions[snake] for turn in turns for snake in snakes]
        faults = {decision.fault for decision in decisions if decision is not None}
        if faults and None not in faults:
            silent = faults.isdisjoint(_ANSWERS)
            return f"{entrant.name} never answered{'' if silent else ' with a valid move'}"
    return None


def _is_fault(decision: Decision | None) -> bool:
    return decision is not None and decision.fault is not None
