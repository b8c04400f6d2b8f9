"""Games to learn from: part by part, each determined by its number."""

import asyncio
import zlib
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec

from arena.data.history import History, history_of
from arena.data.parts import write_part
from arena.data.rows import rows_of
from arena.games import boards
from arena.games.entrant_options import STRATEGY, choice_in, split_text
from arena.games.entrants import make_player
from arena.games.game import play_game
from arena.players.explorer import ExploringPlayer
from arena.records.model import Entrant, Rules, Setup
from searcher.interface import Strategy, Weight
from searcher.strategies import evaluators

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

GAMES_IN_PART = 25


class DataSetup(msgspec.Struct, frozen=True):
    """Everything that a game depends on, besides its number."""

    players: tuple[Entrant, ...]
    snakes: int
    rules: Rules
    seed: int
    vary: float
    """The standard deviation of the logarithm of a weight; 0 leaves all weights as they are."""
    explore: float = 0.0
    """The share of moves that are made at random."""
    version: int = 1

    @property
    def digest(self) -> int:
        """A number that differs between setups."""
        return zlib.crc32(msgspec.json.encode(self))


def part_path(folder: Path, number: int) -> Path:
    """Return the file of a part."""
    return folder / f"games-{number:06}.parquet"


def play_part(
    setup: DataSetup, folder: Path, number: int, credentials: "CredentialFiles | None" = None
) -> int:
    """Play the games of a part, write them, and return the number of positions.

    The same setup and number give the same part. A game that does not count, since a player failed, is left
    out. Raises OSError if the part can't be written, and OSError or ValueError if the credentials of gRPC
    targets are invalid.
    """
    games = range(number * GAMES_IN_PART, (number + 1) * GAMES_IN_PART)
    histories = (asyncio.run(_play(setup, game, credentials)) for game in games)
    rows = [row for history in histories if history for row in rows_of(history)]
    write_part(part_path(folder, number), rows)
    return len(rows)


async def _play(setup: DataSetup, number: int, credentials: "CredentialFiles | None") -> History | None:
    random = Random(f"{setup.seed} {number}")
    seated = [random.choice(setup.players) for _ in range(setup.snakes)]
    # A side keeps its table for all games of a process, so there is one for each seat.
    entrants = tuple(
        msgspec.structs.replace(_varied(entrant, setup.vary, random), name=f"seat {seat}")
        for seat, entrant in enumerate(seated)
    )
    match = Setup(entrants, setup.snakes, setup.rules, setup.seed)
    seed = zlib.crc32(f"{setup.seed} {number}".encode())
    players = [ExploringPlayer(make_player(entrant, credentials), setup.explore) for entrant in entrants]
    name = f"{setup.digest:08x}-{number}"
    try:
        start = boards.set_up_board(setup.rules, setup.snakes, seed)
        game = await play_game(match, players, start, tuple(range(setup.snakes)), seed, name)
    finally:
        await asyncio.gather(*(player.close() for player in players))
    if game.void:
        return None
    explored = set[tuple[int, str]]().union(*(player.explored for player in players))
    return history_of(setup.rules, game, name, [entrant.name for entrant in seated], explored)


def _varied(entrant: Entrant, spread: float, random: Random) -> Entrant:
    """Return an entrant with other weights, each multiplied by a random factor, within its bounds."""
    player, options = split_text(entrant.player)
    if not spread or not STRATEGY.fullmatch(player):
        return entrant
    strategy = choice_in(player, options)
    if not isinstance(strategy, Strategy):
        return entrant
    kept = {name: value for name, value in options.items() if not name.startswith("weight.")}
    weights = {
        f"weight.{weight.name}": repr(_factored(weight, strategy.weights, spread, random))
        for weight in evaluators()[strategy.evaluator].weights
    }
    text = ",".join([player, *(f"{name}={value}" for name, value in (kept | weights).items())])
    return msgspec.structs.replace(entrant, player=text)


def _factored(weight: Weight, weights: Mapping[str, float], spread: float, random: Random) -> float:
    value = weights[weight.name] * random.lognormvariate(0.0, spread)
    return min(max(value, weight.minimum), weight.maximum)
