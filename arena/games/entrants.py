"""Entrants as people write them: what plays, then its own limits and weights.

paranoid/area                             a strategy, run in this process
paranoid/length,nodes=10000,name=weak     with limits of its own
paranoid/area,weight.hunger=0.25          with a weight of its own
paranoid/area,weights=FILE                with those of a file, as `arena tune` writes it
unix:/run/searcher.sock,strategy=paranoid/area    a searcher behind a gRPC target
http://localhost:8000                     any Battlesnake
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from arena.games import boards
from arena.games.replay import position_at
from arena.games.weights import read_weights
from arena.players.player import Player
from arena.players.strategy import StrategyPlayer, parts_of_game
from arena.records.model import Entrant, Limits, Rules
from protos.battlesnake.search.v1 import search_pb2 as pb
from searcher.interface import Strategy
from searcher.strategies import evaluators, parse_strategy, strategy_of
from searcher.trials.runner import require_fit

_LIMITS = {"time": "milliseconds", "depth": "depth", "nodes": "nodes", "threads": "threads"}
_WEIGHT = "weight."
_WEIGHTS_FILE = "weights"
_STRATEGY = re.compile(r"[\w-]+/[\w-]+")
_URL = re.compile(r"https?://.*")


def parse_entrants(texts: Sequence[str], limits: Limits) -> tuple[Entrant, ...]:
    """The entrants, with these limits where their texts name none. Raises ValueError, saying what is valid.

    Whoever is named like one before gets a number at the end.
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
    """The player of an entrant, for the event loop that runs."""
    what, options = _split(entrant.player)
    if _URL.fullmatch(what):
        from arena.players.url import UrlPlayer

        return UrlPlayer(what, entrant.name, entrant.limits)
    if _STRATEGY.fullmatch(what):
        strategy = _strategy(what, options)
        return StrategyPlayer(strategy, entrant.limits, entrant.name)
    from arena.players.grpc_target import GrpcPlayer

    search, _, evaluator = options.get("strategy", "").partition("/")
    message = pb.Strategy(search=search, evaluator=evaluator, weights=_weights(options))
    return GrpcPlayer(what, message, entrant.limits)


def prepare(entrant: Entrant, rules: Rules, snakes: int) -> None:
    """Compiles what the entrant's searches need, so that no worker has to; others need nothing.

    Raises ValueError if its evaluator can't play.
    """
    what, options = _split(entrant.player)
    if _STRATEGY.fullmatch(what):
        position = position_at(rules, boards.set_up_board(rules, snakes, 0))
        strategy = _strategy(what, options)
        require_fit(strategy)
        for part in parts_of_game(position, strategy):
            part.load()


def _entrant(text: str, limits: Limits) -> Entrant:
    what, options = _expanded(*_split(text))
    weights = [key for key in options if key.startswith(_WEIGHT)]
    unknown = options.keys() - _LIMITS.keys() - {"name", "strategy"} - set(weights)
    if unknown:
        valid = ", ".join([*_LIMITS, "name", "strategy", f"{_WEIGHT}NAME", _WEIGHTS_FILE])
        raise ValueError(f"{text!r}: no option {sorted(unknown)[0]!r}; valid: {valid}")
    own = {_LIMITS[key]: _whole(text, key, value) for key, value in options.items() if key in _LIMITS}
    chosen = _merged(limits, own)
    _check_kind(text, what, options, chosen)
    player = ",".join([what, *(f"{key}={value}" for key, value in options.items())])
    return Entrant(options.get("name", _short(text)), player, chosen)


def _expanded(what: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """With the weights of a file in its place, so that no one after needs the file; those named win."""
    if _WEIGHTS_FILE not in options:
        return what, dict(options)
    path = Path(options[_WEIGHTS_FILE])
    strategy = options.get("strategy", what)
    if not _STRATEGY.fullmatch(strategy):
        raise ValueError(f"{what}: {_WEIGHTS_FILE}= needs a strategy, as in strategy=paranoid/area")
    found, evaluator = read_weights(path), strategy.partition("/")[2]
    if found.evaluator != evaluator:
        raise ValueError(f"{path} has weights of {found.evaluator}, not of {evaluator}")
    read = {f"{_WEIGHT}{name}": repr(value) for name, value in found.weights.items()}
    return what, read | {key: value for key, value in options.items() if key != _WEIGHTS_FILE}


def _check_kind(text: str, what: str, options: Mapping[str, str], limits: Limits) -> None:
    if _URL.fullmatch(what):
        _check_url(text, what, options, limits)
    elif _STRATEGY.fullmatch(what):
        _strategy(what, options)
    elif ":" in what:
        _check_target(text, options)
    else:
        raise ValueError(
            f"{text!r} is none of: a strategy such as paranoid/area, "
            "a gRPC target such as localhost:50051 or unix:/path, a URL such as http://localhost:8000"
        )


def _check_url(text: str, what: str, options: Mapping[str, str], limits: Limits) -> None:
    try:
        right = urlsplit(what).port != 0 and bool(urlsplit(what).hostname)
    except ValueError:
        right = False
    if not right:
        raise ValueError(f"{text!r} is not a URL such as http://localhost:8000")
    if strange := sorted(options.keys() - {"time", "name"}):
        raise ValueError(f"{text!r}: a Battlesnake at a URL has no {strange[0]}; valid: time, name")
    if limits.milliseconds is None or limits.depth or limits.nodes:
        raise ValueError(
            f"{text!r}: a Battlesnake at a URL is limited by time alone: "
            "give --time, or after a comma time= and milliseconds"
        )


def _check_target(text: str, options: Mapping[str, str]) -> None:
    _weights(options)
    strategy = options.get("strategy")
    if strategy is not None and not _STRATEGY.fullmatch(strategy):
        raise ValueError(f"{text!r}: strategy must be like paranoid/area, is {strategy!r}")


def _merged(limits: Limits, own: Mapping[str, int]) -> Limits:
    """An entrant's own limits of work replace all of the match's, its threads apart."""
    threads = own.get("threads", limits.threads)
    work = {key: value for key, value in own.items() if key != "threads"}
    if work:
        return Limits(**work, threads=threads)
    return Limits(limits.milliseconds, limits.depth, limits.nodes, threads)


def _split(text: str) -> tuple[str, dict[str, str]]:
    what, *rest = text.split(",")
    pairs = [part.partition("=") for part in rest]
    if not what or not all(key and sign and value for key, sign, value in pairs):
        raise ValueError(f"{text!r} is not of the form WHAT,key=value,key=value")
    options = {key: value for key, _, value in pairs}
    if len(options) < len(pairs):
        raise ValueError(f"{text!r} gives an option twice")
    return what, options


def _whole(text: str, key: str, value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ValueError(f"{text!r}: {key} must be a whole number of 1 or more, is {value!r}")
    return int(value)


def _strategy(what: str, options: Mapping[str, str]) -> Strategy:
    if "strategy" in options:
        raise ValueError(f"{what!r} is a strategy already; strategy= is for gRPC targets")
    strategy = parse_strategy(what)
    weights = _weights(options)
    known = {weight.name: weight for weight in evaluators()[strategy.evaluator].weights}
    for name, value in weights.items():
        if name not in known:
            raise ValueError(f"{what}: no weight {name!r}; valid: {', '.join(known) or 'none'}")
        if not known[name].minimum <= value <= known[name].maximum:
            bounds = f"{known[name].minimum} to {known[name].maximum}"
            raise ValueError(f"{what}: weight {name} must be {bounds}, is {value}")
    return strategy_of(strategy.search, strategy.evaluator, weights)


def _weights(options: Mapping[str, str]) -> dict[str, float]:
    weights = {}
    for key, value in options.items():
        if key.startswith(_WEIGHT):
            try:
                weights[key.removeprefix(_WEIGHT)] = float(value)
            except ValueError:
                raise ValueError(f"{key} must be a number, is {value!r}") from None
    return weights


def _short(text: str) -> str:
    """The text as a name; a comma would look like an option's."""
    return text.replace(",", " ")
