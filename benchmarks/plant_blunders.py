"""The making of games with a planted blunder: python -m benchmarks.plant_blunders FILE [GAMES].

Two copies of a strong strategy play a duel. Then the same game is played again up to some turn. In it the
winner makes the move of a weak strategy, and both play on. The game is kept if that move decided it, because
the snake won without the move and dies within a few turns with it. Games themselves prove this, without a
search. All limits are nodes, so the games repeat exactly.
"""

import asyncio
import gzip
import random
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arena.games.boards import moves_in, replayed, set_up_board
from arena.games.entrants import make_player, parse_entrants, prepare
from arena.games.game import play_game
from arena.players.player import ChosenMove, Player, View
from arena.records import Game, MoveLimits, Rules, Setup
from battlesnake_search.board import Settings
from gateway.replay.values import GameSnake
from gateway.store.records import RECORDED, Decided, Header, Record, Standing
from gateway.store.records import Position as Board
from searcher.engine.position import Direction, Position

RULES = Rules("standard", "standard", 11, 11, 1, 15, 14, 25, 250)

STRONG = ("crowd/hungry,nodes=3000,name=one", "crowd/hungry,nodes=3000,name=two")
WEAK = ("random", "greedy", "spacious")
"""The strategies of planted moves. Games take them in turn. All look one turn ahead."""

GAMES = 20

LONGEST_FALL = 12
"""The most turns from the planted move to the death."""

EARLIEST = 10
TRIALS = 12
"""The number of turns that are tried in a game before the next game."""

BUDGET = 40.0
"""The recorded milliseconds of decisions: about the time of their nodes on a busy core."""


class PlantedGame(msgspec.Struct, frozen=True):
    """A game of two snakes of which the one named `snake` plays `move` in the turn `planted`, and loses."""

    planted: int
    move: str
    weak: str
    header: Header
    records: list[Record]


class _Planter(Player):
    """A player that repeats given moves, one for each turn. Then a weak player, if any, plays one turn.

    After that the strong player plays on.
    """

    def __init__(self, moves: Sequence[Direction], strong: Player, weak: Player | None) -> None:
        self._moves, self._strong, self._weak = moves, strong, weak

    async def start(self, view: View) -> None:
        """Start both players."""
        for player in filter(None, (self._strong, self._weak)):
            await player.start(view)

    async def choose(self, view: View) -> ChosenMove:
        """Return the move of the player whose turn it is."""
        turn = view.position.turn
        if turn < len(self._moves):
            return ChosenMove(self._moves[turn])
        player = self._weak if self._weak and turn == len(self._moves) else self._strong
        return await player.choose(view)


def read_planted(path: Path) -> list[PlantedGame]:
    """Return the games in a file."""
    lines = gzip.decompress(path.read_bytes()).splitlines()
    return [msgspec.json.decode(line, type=PlantedGame) for line in lines]


def main() -> None:
    """Write the games to a file, one a line."""
    games = int(sys.argv[2]) if len(sys.argv) > 2 else GAMES
    with gzip.open(Path(sys.argv[1]), "wb") as file:
        for number, planted in zip(range(games), _planted(), strict=False):
            file.write(msgspec.json.encode(planted) + b"\n")
            file.flush()
            note = f"turn {planted.planted} of {planted.header.turns}: {planted.move} by {planted.weak}"
            print(f"{number + 1:2} {note}", flush=True)


def _planted() -> Iterator[PlantedGame]:
    """Yield games without end."""
    setup = Setup(parse_entrants([*STRONG, *WEAK], MoveLimits()), 2, RULES, 0)
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
    start = set_up_board(RULES, 2, seed)
    sound = await play_game(setup, _strong(setup), start, (0, 1), seed, _name(seed))
    winner = _winner(sound)
    turns = range(EARLIEST, len(sound.turns) - 1)
    if winner is None or len(turns) < TRIALS:
        return None
    for turn in random.Random(seed).sample(turns, TRIALS):
        short = msgspec.structs.replace(RULES, max_turns=turn + LONGEST_FALL + 1)
        players = _planters(setup, sound, winner, turn, weak)
        trial = msgspec.structs.replace(setup, rules=short)
        game = await play_game(trial, players, start, (0, 1), seed, _name(seed))
        if _move(game, winner, turn) != _move(sound, winner, turn) and _winner(game) == 1 - winner:
            return _recorded(game, seed, winner, turn, weak)
    return None


def _strong(setup: Setup) -> list[Player]:
    return [make_player(entrant) for entrant in setup.entrants[:2]]


def _planters(setup: Setup, sound: Game, snake: int, turn: int, weak: str) -> list[Player]:
    """Return players that repeat a game up to a turn, in which the snake plays as the weak player."""
    entrant = next(entrant for entrant in setup.entrants if entrant.name == weak)
    moves = [moves_in(each) for each in sound.turns[:turn]]
    return [
        _Planter([each[str(seat)] for each in moves], strong, make_player(entrant) if seat == snake else None)
        for seat, strong in enumerate(_strong(setup))
    ]


def _name(seed: int) -> str:
    return f"planted-{seed}"


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
    return PlantedGame(turn, _move(game, snake, turn), weak, _header(game, seed, snake), records)


def _move(game: Game, snake: int, turn: int) -> str:
    decision = game.turns[turn].decisions[snake]
    assert decision is not None
    return decision.move


def _header(game: Game, seed: int, snake: int) -> Header:
    seen = datetime(2026, 1, 1, tzinfo=UTC)
    winner = _winner(game)
    return Header(
        id=_name(seed),
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
