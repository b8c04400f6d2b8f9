"""Entrants as the command line names them: a player, followed by the player's limits and weights.

paranoid/area                             a strategy, run in this process
auto                                      the searcher's default: the strategy for each position
paranoid/length,nodes=10000,name=weak     with limits of its own
paranoid/area,weight.hunger=0.25          with a weight of its own
paranoid/area,weights=FILE                with the weights in a file, as `arena tune` writes it
greedy                                    an opponent of the pool that looks one turn ahead
feeder,nodes=5000                         a search of the pool
unix:/run/searcher.sock,strategy=paranoid/area    a searcher at a gRPC target
grpcs://searcher.example.com:443          a searcher behind TLS
http://localhost:8000                     any Battlesnake
"""

import importlib
import pkgutil
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
import tomli_w

from arena import pool
from arena.games import boards
from arena.games.boards import position_at
from arena.players.one_turn import OneTurnPlayer, Rate, ratings_of_game
from arena.players.player import Player, Reported, View
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.pool._searches import SEARCHING_OPPONENTS
from arena.records import Entrant, MoveLimits, Rules
from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.position import Position
from searcher.interface import Strategy, StrategyChoice
from searcher.precompile.code_units import CodeUnit, turn_code_for
from searcher.precompile.prepare import prepare_code
from searcher.strategies import AUTO, AUTO_NAME, check_weights, evaluators, parse_strategy, strategy_of
from searcher.tools.weights import WeightsFile, read_weights

if TYPE_CHECKING:
    from battlesnake_search.channels import CredentialFiles

LIMITS = {"time": "milliseconds", "depth": "depth", "nodes": "nodes", "threads": "threads"}
"""The options that limit a move, and the fields of MoveLimits."""

WEIGHT = "weight."
"""The beginning of an option that sets a weight."""

WEIGHTS_FILE = "weights"
STRATEGY = re.compile(rf"{AUTO_NAME}|[\w-]+/[\w-]+")

WEIGHTLESS = f"{AUTO_NAME} has no weights: it chooses the evaluator"

_URL = re.compile(r"https?://.*")


def parse_entrants(texts: Sequence[str], limits: MoveLimits) -> tuple[Entrant, ...]:
    """Return the entrants. Texts without limits have the limits `limits`.

    An entrant whose name is taken by an earlier one gets a number at the end. Raises ValueError, naming the
    valid values, for an invalid text.
    """
    entrants: list[Entrant] = []
    for text in texts:
        entrant = _entrant(text, limits)
        taken = {other.name for other in entrants}
        names = [entrant.name, *(f"{entrant.name} {number}" for number in range(2, len(texts) + 2))]
        name = next(name for name in names if name not in taken)
        entrants.append(Entrant(name, entrant.player, entrant.limits))
    return tuple(entrants)


def make_player(entrant: Entrant, credentials: "CredentialFiles | None" = None) -> Player:
    """Return a player for an entrant, to be used in the running event loop.

    A searcher at a gRPC target gets the credentials. Raises OSError or ValueError if they are invalid.
    """
    player, options = split_text(entrant.player)
    if player in one_turn_opponents():
        return OneTurnPlayer(one_turn_opponents()[player].rate)
    if _URL.fullmatch(player):
        from arena.players.url import UrlPlayer

        return UrlPlayer(player, name_on_board(entrant), entrant.limits, is_named="name" in options)
    if STRATEGY.fullmatch(player):
        return StrategyPlayer(choice_in(player, options), entrant.limits, entrant.name)
    # Import here, because only matches with a gRPC target need it.
    from arena.players.grpc_target import GrpcPlayer
    from battlesnake_search.channels import Credentials

    search, _, evaluator = options.get("strategy", "").partition("/")
    message = pb.Strategy(search=search, evaluator=evaluator, weights=weights_in(options))
    return GrpcPlayer(player, message, entrant.limits, Credentials(credentials))


def name_on_board(entrant: Entrant) -> str:
    """Return the name of an entrant's snakes in the requests to snakes at URLs.

    It is the entrant's name. For a URL without a name it is the URL's scheme and host, because the path may
    have a token that other snakes must not know. A name in the snake's description then replaces it.
    """
    player, options = split_text(entrant.player)
    if "name" in options or not _URL.fullmatch(player):
        return entrant.name
    url = urlsplit(player)
    return f"{url.scheme}://{url.netloc.rpartition('@')[2]}"


def is_url(entrant: Entrant) -> bool:
    """Return whether an entrant is a Battlesnake at a URL."""
    return bool(_URL.fullmatch(split_text(entrant.player)[0]))


def evaluators_of(entrants: Iterable[Entrant]) -> list[str]:
    """Return the names of the evaluators that entrants name. This process may lack some evaluators."""
    players = (split_text(entrant.player)[0] for entrant in entrants)
    return sorted({player.partition("/")[2] for player in players if STRATEGY.fullmatch(player)} - {""})


async def versions_of(
    entrants: Iterable[Entrant], rules: Rules, snakes: int, credentials: "CredentialFiles | None" = None
) -> tuple[str, ...]:
    """Return the version of each entrant, by the first position of a game. See Player.version.

    Raises ConnectionError, with the entrant and the reason, if this machine gets no answer from an entrant,
    and OSError or ValueError if its credentials are invalid.
    """
    position = position_at(rules, boards.set_up_board(rules, snakes, 0))
    reported = tuple(Reported(snake, snake.id) for snake in position.snakes)
    view = View("version", rules, position, reported[0], reported)
    versions = []
    for entrant in entrants:
        player = make_player(entrant, credentials)
        try:
            await player.check_reachable()
            versions.append(await player.version(view))
        except ConnectionError as error:
            raise ConnectionError(f"entrant {entrant.name}: {error}") from None
        finally:
            await player.close()
    return tuple(versions)


def prepare(entrants: Iterable[Entrant], rules: Rules, snakes: int) -> None:
    """Compile the code for games between entrants, with progress, so that no worker has to.

    Raises ValueError if an evaluator can't play, or if the board is too small for so many snakes.
    """
    position = position_at(rules, boards.set_up_board(rules, snakes, 0))
    codes = [code for entrant in entrants for code in _codes(entrant, position)]
    prepare_code([*codes, turn_code_for(position)])


def _codes(entrant: Entrant, position: Position) -> Sequence[CodeUnit]:
    """Return the compiled code that an entrant runs in this process, in a game from this position on."""
    player, options = split_text(entrant.player)
    if player in one_turn_opponents():
        return ratings_of_game(position, one_turn_opponents()[player].rate)
    return parts_of_game(position, choice_in(player, options)) if STRATEGY.fullmatch(player) else ()


def _entrant(text: str, limits: MoveLimits) -> Entrant:
    name, given = split_text(text)
    if name in one_turn_opponents():
        return _one_turn(text, name, given)
    player, options = _expanded(name, given)
    check_known(text, options)
    chosen = limits_in(text, options, limits)
    _check_kind(text, player, options, chosen)
    described = ",".join([player, *(f"{key}={value}" for key, value in options.items())])
    # Commas separate options, so a name has none.
    return Entrant(options.get("name", text.replace(",", " ")), described, chosen)


def _one_turn(text: str, player: str, options: Mapping[str, str]) -> Entrant:
    """Return an opponent of the pool that looks one turn ahead. Without a search it has no limits."""
    if unknown := sorted(options.keys() - {"name"}):
        raise ValueError(f"{text!r}: an opponent that looks one turn ahead has no {unknown[0]}; valid: name")
    return Entrant(options.get("name", player), text, MoveLimits())


def _expanded(name: str, given: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Replace a search of the pool and a weights file by their options. Options in `given` win."""
    player, preset = split_text(SEARCHING_OPPONENTS[name].text) if name in SEARCHING_OPPONENTS else (name, {})
    return player, preset | with_weights_of_file(player, given)


def _check_kind(text: str, player: str, options: Mapping[str, str], limits: MoveLimits) -> None:
    if _URL.fullmatch(player):
        _check_url(text, player, options, limits)
    elif STRATEGY.fullmatch(player):
        choice_in(player, options)
    elif ":" in player:
        _check_target(text, options)
    else:
        raise ValueError(
            f"{text!r} is neither a strategy such as paranoid/area or {AUTO_NAME}, nor a gRPC target such as "
            "localhost:50051 or unix:/path, nor a URL such as http://localhost:8000, "
            f"nor an opponent of the pool: {', '.join(pool_names())}"
        )


def _check_url(text: str, player: str, options: Mapping[str, str], limits: MoveLimits) -> None:
    from arena.players.url import is_accepted

    try:
        valid = urlsplit(player).port != 0 and bool(urlsplit(player).hostname) and is_accepted(player)
    except ValueError:
        valid = False
    if not valid:
        raise ValueError(f"{text!r} is not a URL such as http://localhost:8000")
    if unknown := sorted(options.keys() - {"time", "name"}):
        raise ValueError(f"{text!r}: a Battlesnake at a URL has no {unknown[0]}; valid: time, name")
    if limits.milliseconds is None or limits.depth or limits.nodes:
        raise ValueError(
            f"{text!r}: a Battlesnake at a URL is limited by time only: "
            "give --time, or after a comma time= and milliseconds"
        )


def _check_target(text: str, options: Mapping[str, str]) -> None:
    weights, strategy = weights_in(options), options.get("strategy")
    if strategy is not None and not STRATEGY.fullmatch(strategy):
        raise ValueError(f"{text!r}: strategy must be {AUTO_NAME} or like paranoid/area, not {strategy!r}")
    if strategy == AUTO_NAME and weights:
        raise ValueError(f"{text!r}: {WEIGHTLESS}")


@dataclass(frozen=True, slots=True)
class OneTurnOpponent:
    """An opponent that looks one turn ahead. The docstring of arena.pool has the contract."""

    description: str
    rate: Rate


@cache
def one_turn_opponents() -> Mapping[str, OneTurnOpponent]:
    """Return the opponents that look one turn ahead, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(pool.__path__))
    modules = {
        name: importlib.import_module(f"{pool.__name__}.{name}") for name in names if not name.startswith("_")
    }
    return {name: OneTurnOpponent(module.DESCRIPTION, module.rate) for name, module in modules.items()}


def pool_names() -> tuple[str, ...]:
    """Return the names of the whole pool: opponents that look one turn ahead, then searches."""
    return (*one_turn_opponents(), *SEARCHING_OPPONENTS)


def split_text(text: str) -> tuple[str, dict[str, str]]:
    """Return the player and the options in a text. Raises ValueError if it is malformed."""
    player, *rest = text.split(",")
    pairs = [part.partition("=") for part in rest]
    if not player or not all(key and sign and value for key, sign, value in pairs):
        raise ValueError(f"{text!r} is not of the form PLAYER,key=value,key=value")
    options = {key: value for key, _, value in pairs}
    if len(options) < len(pairs):
        raise ValueError(f"{text!r} gives an option twice")
    return player, options


def check_known(text: str, options: Mapping[str, str]) -> None:
    """Raise ValueError, naming the valid options, for an option that no entrant has."""
    weights = [key for key in options if key.startswith(WEIGHT)]
    if unknown := options.keys() - LIMITS.keys() - {"name", "strategy"} - set(weights):
        valid = ", ".join([*LIMITS, "name", "strategy", f"{WEIGHT}NAME", WEIGHTS_FILE])
        raise ValueError(f"{text!r}: no option {sorted(unknown)[0]!r}; valid: {valid}")


def limits_in(text: str, options: Mapping[str, str], limits: MoveLimits) -> MoveLimits:
    """Return the limits in an entrant's options or, without such limits, `limits`. Threads are no limit.

    Raises ValueError for an invalid limit.
    """
    own = {LIMITS[key]: _whole(text, key, value) for key, value in options.items() if key in LIMITS}
    threads = own.pop("threads", limits.threads)
    if own:
        return MoveLimits(**own, threads=threads)
    return MoveLimits(limits.milliseconds, limits.depth, limits.nodes, threads)


def with_weights_of_file(player: str, options: Mapping[str, str]) -> dict[str, str]:
    """Replace the option of a weights file by its weights. Weights given by name take precedence.

    Raises ValueError if the file can't be read or has weights of another evaluator.
    """
    if WEIGHTS_FILE not in options:
        return dict(options)
    path = Path(options[WEIGHTS_FILE])
    strategy = options.get("strategy", player)
    if strategy == AUTO_NAME:
        raise ValueError(f"{player}: {WEIGHTLESS}")
    if not STRATEGY.fullmatch(strategy):
        raise ValueError(f"{player}: {WEIGHTS_FILE}= needs a strategy, as in strategy=paranoid/area")
    found, evaluator = read_weights(path), strategy.partition("/")[2]
    if found.evaluator != evaluator:
        raise ValueError(f"{path} has weights of {found.evaluator}, not of {evaluator}")
    read = {f"{WEIGHT}{name}": repr(value) for name, value in found.weights.items()}
    return read | {key: value for key, value in options.items() if key != WEIGHTS_FILE}


def choice_in(player: str, options: Mapping[str, str]) -> StrategyChoice:
    """Return `auto`, or a player's strategy with the weights among its options.

    Raises ValueError, naming the valid values, for an unknown name, for a weight out of bounds, and for a
    weight of auto.
    """
    if "strategy" in options:
        raise ValueError(f"{player!r} is already a strategy; strategy= is for gRPC targets")
    weights = weights_in(options)
    if player != AUTO_NAME:
        return _weighted(player, weights)
    if weights:
        raise ValueError(f"{player}: {WEIGHTLESS}")
    return AUTO


def weights_in(options: Mapping[str, str]) -> dict[str, float]:
    """Return the weights among the options, by name. Raises ValueError if a weight is not a number."""
    weights = {}
    for key, value in options.items():
        if key.startswith(WEIGHT):
            try:
                weights[key.removeprefix(WEIGHT)] = float(value)
            except ValueError:
                raise ValueError(f"{key} must be a number, not {value!r}") from None
    return weights


def _weighted(player: str, weights: Mapping[str, float]) -> Strategy:
    """Return the strategy of this name with these weights. Raises ValueError for an invalid one."""
    strategy = parse_strategy(player)
    try:
        check_weights(evaluators()[strategy.evaluator], weights)
    except ValueError as error:
        raise ValueError(f"{strategy.search}/{error}") from None
    return strategy_of(strategy.search, strategy.evaluator, weights)


def _whole(text: str, key: str, value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ValueError(f"{text!r}: {key} must be a whole number of 1 or more, not {value!r}")
    return int(value)


def write_weights(path: Path, weights: WeightsFile) -> None:
    """Replace the file atomically. Raises OSError if that fails."""
    new = path.with_name(f".{path.name}.new")
    new.write_text(tomli_w.dumps(msgspec.to_builtins(weights)), encoding="utf-8")
    new.replace(path)
