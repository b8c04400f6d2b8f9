"""The options of an entrant, which follow its player in its text: PLAYER,key=value,key=value."""

import re
from collections.abc import Mapping
from pathlib import Path

from arena.records.model import Limits
from searcher.interface import Strategy, StrategyChoice
from searcher.strategies import AUTO, AUTO_NAME, check_weights, evaluators, parse_strategy, strategy_of
from searcher.tools.weights import read_weights

LIMITS = {"time": "milliseconds", "depth": "depth", "nodes": "nodes", "threads": "threads"}
"""The options that limit a move, and the fields of Limits."""

WEIGHT = "weight."
"""What the option of a weight begins with."""

WEIGHTS_FILE = "weights"
STRATEGY = re.compile(rf"{AUTO_NAME}|[\w-]+/[\w-]+")

WEIGHTLESS = f"{AUTO_NAME} has no weights: it chooses the evaluator"


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
    """Raise ValueError, naming what is valid, for an option that no entrant has."""
    weights = [key for key in options if key.startswith(WEIGHT)]
    if unknown := options.keys() - LIMITS.keys() - {"name", "strategy"} - set(weights):
        valid = ", ".join([*LIMITS, "name", "strategy", f"{WEIGHT}NAME", WEIGHTS_FILE])
        raise ValueError(f"{text!r}: no option {sorted(unknown)[0]!r}; valid: {valid}")


def limits_in(text: str, options: Mapping[str, str], limits: Limits) -> Limits:
    """Return the entrant's own limits, if it has any, or else those of the match; threads are separate.

    Raises ValueError for an invalid limit.
    """
    own = {LIMITS[key]: _whole(text, key, value) for key, value in options.items() if key in LIMITS}
    threads = own.pop("threads", limits.threads)
    if own:
        return Limits(**own, threads=threads)
    return Limits(limits.milliseconds, limits.depth, limits.nodes, threads)


def with_weights_of_file(player: str, options: Mapping[str, str]) -> dict[str, str]:
    """Replace the option of a weights file by its weights; weights given by name take precedence.

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

    Raises ValueError, naming what is valid, for an unknown name, a weight out of bounds or a weight of auto.
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
    """Return the weights among the options, by name. Raises ValueError if one is not a number."""
    weights = {}
    for key, value in options.items():
        if key.startswith(WEIGHT):
            try:
                weights[key.removeprefix(WEIGHT)] = float(value)
            except ValueError:
                raise ValueError(f"{key} must be a number, not {value!r}") from None
    return weights


def _weighted(player: str, weights: Mapping[str, float]) -> Strategy:
    """Return the strategy of this name with weights of its own. Raises ValueError for an invalid one."""
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
