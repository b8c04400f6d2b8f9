"""Entrants as the command line names them: the player, then its own limits and weights.

paranoid/area                             a strategy, run in this process
paranoid/length,nodes=10000,name=weak     with limits of its own
paranoid/area,weight.hunger=0.25          with a weight of its own
paranoid/area,weights=FILE                with the weights in a file, as `arena tune` writes it
unix:/run/searcher.sock,strategy=paranoid/area    a searcher behind a gRPC target
http://localhost:8000                     any Battlesnake
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from arena.games import boards
from arena.games.replay import position_at
from arena.players.player import Player
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.records.model import Entrant, Limits, Rules
from protos.battlesnake.search.v1 import search_pb2 as pb
from searcher.interface import Strategy
from searcher.precompile.code import turns_from
from searcher.precompile.prepare import prepare_code
from searcher.strategies import evaluators, parse_strategy, strategy_of
from searcher.tools.weights import read_weights

_LIMITS = {"time": "milliseconds", "depth": "depth", "nodes": "nodes", "threads": "threads"}
_WEIGHT = "weight."
_WEIGHTS_FILE = "weights"
_STRATEGY = re.compile(r"[\w-]+/[\w-]+")
_URL = re.compile(r"https?://.*")


def parse_entrants(texts: Sequence[str], limits: Limits) -> tuple[Entrant, ...]:
    """Return the entrants; those whose texts have no limits get these.

    An entrant whose name is taken by an earlier one gets a number at the end. Raises ValueError, naming what
    is valid, for an invalid text.
    """
    entrants: list[Entrant] = []
    for text in texts:
        entrant = _entrant(text, limits)
        taken = {other.name for other in entrants}
        names = [entrant.name, *(f"{entrant.name} {number}" for number in range(2, len(texts) + 2))]
        name = next(name for name in names if name not in taken)
        entrants.append(Entrant(name, entrant.player, entrant.limits))
    return tuple(entrants)


def make_player(entrant: Entrant) -> Player:
    """Return a player for an entrant, to be used in the running event loop."""
    player, options = _split(entrant.player)
    if _URL.fullmatch(player):
        from arena.players.url import UrlPlayer

        return UrlPlayer(player, entrant.name, entrant.limits)
    if _STRATEGY.fullmatch(player):
        strategy = _strategy(player, options)
        return StrategyPlayer(strategy, entrant.limits, entrant.name)
    from arena.players.grpc_target import GrpcPlayer

    search, _, evaluator = options.get("strategy", "").partition("/")
    message = pb.Strategy(search=search, evaluator=evaluator, weights=_weights(options))
    return GrpcPlayer(player, message, entrant.limits)


async def check_reachable(entrants: Iterable[Entrant]) -> None:
    """Raise ConnectionError, with the entrant and the reason, if an entrant does not answer from here."""
    for entrant in entrants:
        player = make_player(entrant)
        try:
            await player.check_reachable()
        except ConnectionError as error:
            raise ConnectionError(f"entrant {entrant.name}: {error}") from None
        finally:
            await player.close()


def prepare(entrants: Iterable[Entrant], rules: Rules, snakes: int) -> None:
    """Compile what games between entrants need, with progress, so that no worker has to.

    Raises ValueError if an evaluator can't play.
    """
    position = position_at(rules, boards.set_up_board(rules, snakes, 0))
    players = [_split(entrant.player) for entrant in entrants]
    strategies = [_strategy(*player) for player in players if _STRATEGY.fullmatch(player[0])]
    parts = [part for strategy in strategies for part in parts_of_game(position, strategy)]
    prepare_code([*parts, turns_from(position)])


def _entrant(text: str, limits: Limits) -> Entrant:
    player, options = _expanded(*_split(text))
    weights = [key for key in options if key.startswith(_WEIGHT)]
    unknown = options.keys() - _LIMITS.keys() - {"name", "strategy"} - set(weights)
    if unknown:
        valid = ", ".join([*_LIMITS, "name", "strategy", f"{_WEIGHT}NAME", _WEIGHTS_FILE])
        raise ValueError(f"{text!r}: no option {sorted(unknown)[0]!r}; valid: {valid}")
    own = {_LIMITS[key]: _whole(text, key, value) for key, value in options.items() if key in _LIMITS}
    chosen = _merged(limits, own)
    _check_kind(text, player, options, chosen)
    described = ",".join([player, *(f"{key}={value}" for key, value in options.items())])
    return Entrant(options.get("name", _default_name(text)), described, chosen)


def _expanded(player: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Replace the option of a weights file by its weights; weights given by name take precedence."""
    if _WEIGHTS_FILE not in options:
        return player, dict(options)
    path = Path(options[_WEIGHTS_FILE])
    strategy = options.get("strategy", player)
    if not _STRATEGY.fullmatch(strategy):
        raise ValueError(f"{player}: {_WEIGHTS_FILE}= needs a strategy, as in strategy=paranoid/area")
    found, evaluator = read_weights(path), strategy.partition("/")[2]
    if found.evaluator != evaluator:
        raise ValueError(f"{path} has weights of {found.evaluator}, not of {evaluator}")
    read = {f"{_WEIGHT}{name}": repr(value) for name, value in found.weights.items()}
    return player, read | {key: value for key, value in options.items() if key != _WEIGHTS_FILE}


def _check_kind(text: str, player: str, options: Mapping[str, str], limits: Limits) -> None:
    if _URL.fullmatch(player):
        _check_url(text, player, options, limits)
    elif _STRATEGY.fullmatch(player):
        _strategy(player, options)
    elif ":" in player:
        _check_target(text, options)
    else:
        raise ValueError(
            f"{text!r} is neither a strategy such as paranoid/area, nor a gRPC target such as "
            "localhost:50051 or unix:/path, nor a URL such as http://localhost:8000"
        )


def _check_url(text: str, player: str, options: Mapping[str, str], limits: Limits) -> None:
    try:
        valid = urlsplit(player).port != 0 and bool(urlsplit(player).hostname)
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
    _weights(options)
    strategy = options.get("strategy")
    if strategy is not None and not _STRATEGY.fullmatch(strategy):
        raise ValueError(f"{text!r}: strategy must be like paranoid/area, not {strategy!r}")


def _merged(limits: Limits, own: Mapping[str, int]) -> Limits:
    """Replace all of the match's limits by the entrant's own, if it has any; threads are separate."""
    threads = own.get("threads", limits.threads)
    work = {key: value for key, value in own.items() if key != "threads"}
    if work:
        return Limits(**work, threads=threads)
    return Limits(limits.milliseconds, limits.depth, limits.nodes, threads)


def _split(text: str) -> tuple[str, dict[str, str]]:
    player, *rest = text.split(",")
    pairs = [part.partition("=") for part in rest]
    if not player or not all(key and sign and value for key, sign, value in pairs):
        raise ValueError(f"{text!r} is not of the form PLAYER,key=value,key=value")
    options = {key: value for key, _, value in pairs}
    if len(options) < len(pairs):
        raise ValueError(f"{text!r} gives an option twice")
    return player, options


def _whole(text: str, key: str, value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ValueError(f"{text!r}: {key} must be a whole number of 1 or more, not {value!r}")
    return int(value)


def _strategy(player: str, options: Mapping[str, str]) -> Strategy:
    if "strategy" in options:
        raise ValueError(f"{player!r} is already a strategy; strategy= is for gRPC targets")
    strategy = parse_strategy(player)
    weights = _weights(options)
    known = {weight.name: weight for weight in evaluators()[strategy.evaluator].weights}
    for name, value in weights.items():
        if name not in known:
            raise ValueError(f"{player}: no weight {name!r}; valid: {', '.join(known) or 'none'}")
        if not known[name].minimum <= value <= known[name].maximum:
            bounds = f"{known[name].minimum} to {known[name].maximum}"
            raise ValueError(f"{player}: weight {name} must be {bounds}, not {value}")
    return strategy_of(strategy.search, strategy.evaluator, weights)


def _weights(options: Mapping[str, str]) -> dict[str, float]:
    weights = {}
    for key, value in options.items():
        if key.startswith(_WEIGHT):
            try:
                weights[key.removeprefix(_WEIGHT)] = float(value)
            except ValueError:
                raise ValueError(f"{key} must be a number, not {value!r}") from None
    return weights


def _default_name(text: str) -> str:
    """Return the text as a name, without commas, which would look like separators of options."""
    return text.replace(",", " ")
