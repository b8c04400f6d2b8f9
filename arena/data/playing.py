"""Games to learn from: a folder of parts. The setup and a part's index determine its games.

An interrupted folder continues. Some moves are made at random, because data also need positions that players
avoid.
"""

import asyncio
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import msgspec

from arena.data.files import BadDataError, Row, count_rows, write_part
from arena.data.histories import History, history_of, rows_of
from arena.games import boards
from arena.games.entrants import STRATEGY, choice_in, make_player, parse_entrants, prepare, split_text
from arena.games.game import play_game
from arena.matches.match import rules_of
from arena.matches.schedule import block_seed
from arena.matches.workers import LocalWorkers
from arena.players.player import View
from arena.pool._searches import SEARCHING_OPPONENTS
from arena.records import Entrant, MoveLimits, Rules, Setup
from battlesnake_search.common.types import Options
from searcher.engine.position import Direction, Position
from searcher.engine.rules.records import STEPS
from searcher.interface import Strategy, Weight
from searcher.strategies import evaluators

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

GAMES_IN_PART = 25

_SETUP = "setup.json"

OnPart = Callable[[int, int], None]
"""A function that receives the number of finished parts and the number of their positions."""


class DataSetup(msgspec.Struct, frozen=True):
    """Everything that a game depends on, besides its number."""

    players: tuple[Entrant, ...]
    snakes: int
    rules: Rules
    seed: int
    vary: float
    """Each weight is multiplied by exp(x), with a normal x of mean 0 and this standard deviation. With 0 all
    weights stay as they are."""
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

    The same setup and number give the same part. A game in which a player failed is left out. Raises OSError
    if the part can't be written, and OSError or ValueError if the credentials of gRPC targets are invalid.
    """
    games = range(number * GAMES_IN_PART, (number + 1) * GAMES_IN_PART)
    rows: list[Row] = []
    for game in games:
        history = asyncio.run(_play(setup, game, credentials))
        rows += rows_of(history) if history else ()
    write_part(part_path(folder, number), rows)
    return len(rows)


async def _play(setup: DataSetup, number: int, credentials: "CredentialFiles | None") -> History | None:
    random = Random(f"{setup.seed} {number}")
    seated = [random.choice(setup.players) for _ in range(setup.snakes)]
    # A side keeps its table for all games of a process. Each seat is a side, so seats share no table.
    entrants = tuple(
        msgspec.structs.replace(_varied(entrant, setup.vary, random), name=f"seat {seat}")
        for seat, entrant in enumerate(seated)
    )
    match = Setup(entrants, setup.snakes, setup.rules, setup.seed)
    seed = block_seed(match, number)
    players = [make_player(entrant, credentials) for entrant in entrants]
    name = f"{setup.digest:08x}-{number}"
    explored = set[tuple[int, str]]()

    def explore(view: View) -> Direction | None:
        draw, moves = Random(view.seed), free_moves(view.position)
        if not moves or draw.random() >= setup.explore:
            return None
        explored.add((view.position.turn, view.you.snake.id))
        return draw.choice(moves)

    try:
        start = boards.set_up_board(setup.rules, setup.snakes, seed)
        seats = tuple(range(setup.snakes))
        game = await play_game(match, players, start, seats, seed, name, explore)
    finally:
        await asyncio.gather(*(player.close() for player in players))
    if game.void:
        return None
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


def read_data_setup(players: Sequence[str], options: Options) -> DataSetup:
    """Return the setup, with all players compiled.

    `options` are the options of `python -m arena games`, by parameter. Raises ValueError, naming the valid
    values, for an invalid option.
    """
    snakes = options["snakes"]
    rules = rules_of(options)
    if rules.ruleset == "solo":
        raise ValueError("--ruleset solo has no outcome to learn from: its snakes play alone")
    entrants = parse_entrants(players or default_players(snakes), MoveLimits(nodes=options["nodes"]))
    prepare(entrants, rules, snakes)
    return DataSetup(entrants, snakes, rules, options["seed"], options["vary"], options["explore"])


def default_players(snakes: int) -> tuple[str, ...]:
    """Return the pool's searches, and two players with the evaluator that the default strategy uses."""
    ours = "paranoid/hungry" if snakes == 2 else "crowd/hungry"
    return (ours, ours, *SEARCHING_OPPONENTS)


def play_data(setup: DataSetup, parts: int, folder: Path, workers: LocalWorkers, on_part: OnPart) -> None:
    """Play the parts that the folder lacks, up to this number of parts.

    Raises BadDataError if the folder has games of another setup, OSError if it can't be written, and
    WorkersLostError if no worker can play.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, setup)
    there = [number for number in range(parts) if part_path(folder, number).exists()]
    done, positions = len(there), sum(count_rows(part_path(folder, number)) for number in there)
    on_part(done, positions)
    missing = sorted(set(range(parts)) - set(there))
    play = partial(play_part, setup, folder, credentials=workers.credentials)
    for played in workers.run(play, missing):
        done, positions = done + 1, positions + played
        on_part(done, positions)


def _claim(folder: Path, setup: DataSetup) -> None:
    """Write the setup into the folder, or compare it with the setup there. Raises BadDataError."""
    path = folder / _SETUP
    if not path.exists():
        path.write_bytes(msgspec.json.format(msgspec.json.encode(setup)))
        return
    try:
        former = msgspec.json.decode(path.read_bytes(), type=DataSetup)
    except msgspec.DecodeError as error:
        raise BadDataError(f"{path} is not the setup of games: {error}") from None
    names = [name for name in setup.__struct_fields__ if getattr(setup, name) != getattr(former, name)]
    if names:
        raise BadDataError(f"{folder} has games with other {', '.join(names)}: choose another folder")


def free_moves(position: Position) -> list[Direction]:
    """Return the moves of the snake `you` that hit neither a wall nor a body that stays."""
    taken = {part for snake in position.snakes for part in snake.body[:-1]}
    (x, y), wrapped = position.snakes[position.you].body[0], position.ruleset.wrapped
    moves = []
    for direction, (dx, dy) in STEPS.items():
        there = x + dx, y + dy
        inside = there[0] % position.width, there[1] % position.height
        if inside not in taken and (wrapped or inside == there):
            moves.append(direction)
    return moves
