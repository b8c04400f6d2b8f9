"""The making of games with a planted blunder: python -m benchmarks.plant_blunders FILE [GAMES].

Two copies of a strong strategy play a duel. Then the winner plays the same game again, but for one turn, in
which it makes the move of a weak strategy. A game is kept if that turn decided it: the snake dies within a
few turns of the planted move, and has won without it. Everything is limited by nodes, so it repeats exactly.
"""

import asyncio
import gzip
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arena.games.boards import set_up_board
from arena.games.entrants import make_player, parse_entrants, prepare
from arena.games.game import play_game
from arena.games.replay import replayed
from arena.players.player import ChosenMove, Player, View
from arena.records.model import Game, Limits, Rules, Setup
from gateway.bodies import Settings
from gateway.games.records import RECORDED, Decided, Header, Record, Standing
from gateway.games.records import Position as Board
from gateway.games.values import GameSnake
from searcher.engine.position import Position

RULES = Rules("standard", "standard", 11, 11, 1, 15, 14, 25, 250)

STRONG = ("crowd/hungry,nodes=3000,name=one", "crowd/hungry,nodes=3000,name=two")
WEAK = ("random", "greedy", "spacious")
"""The strategies of planted moves, of which each game has one in turn. All look one turn ahead."""

GAMES = 20

LONGEST_FALL = 12
"""The most turns from the planted move to the death."""

EARLIEST = 10
TRIALS = 12
"""How many turns of a game are tried before the next one is played."""

BUDGET = 40.0
"""Milliseconds that decisions are recorded with: about what their nodes take on a busy core."""


class PlantedGame(msgspec.Struct, frozen=True):
    """A game of two snakes of which the one named `snake` plays `move` in the turn `planted`, and loses."""

    planted: int
    move: str
    weak: str
    header: Header
    records: list[Record]


class _Planter:
    """A player that leaves one turn to another one."""

    remote = False

    def __init__(self, strong: Player, weak: Player, turn: int) -> None:
        self._strong, self._weak, self._turn = strong, weak, turn

    async def check_reachable(self) -> None:
        """Do nothing: both play in this process."""

    async def start(self, view: View) -> None:
        """Start both."""
        await self._strong.start(view)
        await self._weak.start(view)

    async def choose(self, view: View) -> ChosenMove:
        """Return the move of the player whose turn it is."""
        player = self._weak if view.position.turn == self._turn else self._strong
        return await player.choose(view)

    async def end(self, view: View) -> None:
        """End both."""

    async def close(self) -> None:
        """Close both."""


def main() -> None:
    """Write the games to a file, one a line."""
    games = int(sys.argv[2]) if len(sys.argv) > 2 else GAMES
    with gzip.open(Path(sys.argv[1]), "wb") as file:
        for number, planted in zip(range(games), _planted(), strict=False):
            file.write(msgspec.json.encode(planted) + b"\n")
            note = f"turn {planted.planted} of {planted.header.turns}: {planted.move} by {planted.weak}"
            print(f"{number + 1:2} {note}", flush=True)


def _planted() -> Iterator[PlantedGame]:
    """Yield games without end."""
    setup = Setup(parse_entrants([*STRONG, *WEAK], Limits()), 2, RULES, 0)
    prepare(setup.entrants, RULES, 2)
    seed, count = 0, 0
    while True:
        seed += 1
        found = asyncio.run(_plant(setup, seed, WEAK[count % len(WEAK)]))
        if found:
            count += 1
            yield found


async def _plant(setup: Setup, seed: int, weak: str) -> PlantedGame | None:
    """Return a game with a planted blunder, from a seed; None if no turn that is tried decides it."""
    sound = await _play(setup, seed, None, 0, weak)
    winner = _winner(sound)
    if winner is None or len(sound.turns) < EARLIEST + TRIALS:
        return None
    turns = random.Random(seed).sample(range(EARLIEST, len(sound.turns) - 1), TRIALS)
    for turn in turns:
        game = await _play(setup, seed, winner, turn, weak)
        death = game.deaths[winner]
        if death and _winner(game) is not None and turn <= death.turn <= turn + LONGEST_FALL:
            return _recorded(game, seed, winner, turn, weak)
    return None


async def _play(setup: Setup, seed: int, snake: int | None, turn: int, weak: str) -> Game:
    players: list[Player] = [make_player(entrant) for entrant in setup.entrants[:2]]
    if snake is not None:
        other = next(entrant for entrant in setup.entrants if entrant.name == weak)
        players[snake] = _Planter(players[snake], make_player(other), turn)
    return await play_game(setup, players, set_up_board(RULES, 2, seed), (0, 1), seed, f"planted-{seed}")


def _winner(game: Game) -> int | None:
    alive = [index for index, death in enumerate(game.deaths) if death is None]
    return alive[0] if len(alive) == 1 else None


def _recorded(game: Game, seed: int, snake: int, turn: int, weak: str) -> PlantedGame:
    """Return the game as the gateway would have recorded it for the snake."""
    records: list[Record] = [_board(position) for position in replayed(RULES, game)]
    for number, each in enumerate(game.turns):
        if decision := each.decisions[snake]:
            made = Decided(
                number, str(snake), decision.move, "search", "crowd/hungry", BUDGET, BUDGET, BUDGET
            )
            records.append(made)
    decision = game.turns[turn].decisions[snake]
    assert decision is not None
    return PlantedGame(turn, decision.move, weak, _header(game, seed, snake), records)


def _header(game: Game, seed: int, snake: int) -> Header:
    seen = datetime(2026, 1, 1, tzinfo=UTC)
    winner = _winner(game)
    return Header(
        id=f"planted-{seed}",
        source=RECORDED,
        ruleset=RULES.ruleset,
        version="arena",
        settings=Settings(RULES.food_spawn_chance, RULES.minimum_food, RULES.hazard_damage),
        map=RULES.map,
        width=RULES.width,
        height=RULES.height,
        timeout_ms=500,
        seen_at=seen,
        snakes=[GameSnake(str(index), ("one", "two")[index], ours=index == snake) for index in range(2)],
        turns=len(game.turns),
        ended_at=seen,
        winner=None if winner is None else str(winner),
    )


def _board(position: Position) -> Board:
    standing = {snake.id: Standing(list(snake.body), snake.health) for snake in position.snakes}
    return Board(position.turn, list(position.food), list(position.hazards), standing)


if __name__ == "__main__":
    main()
