"""The checks of a client's arguments. Each error names the invalid argument."""

import os
from collections.abc import Iterable, Mapping
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.common.sockets import check_target
from battlesnake_search.common.types import Options
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import BadBody, decode
from battlesnake_search.translate import MOVES

LONGEST = 60.0
"""The most seconds of a search. A longer time is in milliseconds by mistake."""

_COUNTS = {
    "depth": (1, 2**32 - 1),
    "nodes": (1, 2**63 - 1),
    "threads": (1, 2**32 - 1),
    "seed": (0, 2**63 - 1),
    "priority": (-(2**31), 2**31 - 1),
}
"""The smallest and the largest value of each option that is a whole number."""

_LIMITS = ("depth", "nodes", "threads", "seed")


def target_of(value: object) -> str:
    """Return a gRPC target. Raises ValueError if gRPC would misunderstand it."""
    target = text_of("target", value)
    try:
        check_target(target)
    except ValueError as error:
        raise ValueError(f"target: {error}") from None
    return target


def text_of(name: str, value: object) -> str:
    """Return a text. Raises ValueError for another type."""
    if not isinstance(value, str):
        raise ValueError(f"{name}: expected a text, got {type(value).__name__}")
    return value


def file_of(name: str, value: object) -> Path | None:
    """Return the path of a readable file; None if it is left out.

    Raises ValueError for another type, and OSError for a file that can't be read.
    """
    if not value:
        return None
    if not isinstance(value, str | os.PathLike) or "\n" in str(value):
        valid = "the path of a PEM file, not its content"
        raise ValueError(f"{name}: expected {valid}; got {type(value).__name__}")
    path = Path(value)
    try:
        path.read_bytes()
    except OSError as error:
        raise OSError(error.errno, f"{name}: {error.strerror}", str(path)) from None
    return path


def turn_of(body: object, place: str = "") -> Turn:
    """Return the turn of a /move body. `place` is the path of the body in the arguments.

    Raises BadBody that names the invalid field, also if `you` is not on the board.
    """
    try:
        turn = decode(_encoded(body))
        if turn.own is None:
            raise BadBody(f"no snake of board.snakes has the id {turn.you.id!r}", "you.id")
    except BadBody as error:
        raise BadBody(error.reason, ".".join(filter(None, (place, error.field)))) from None
    return turn


def _encoded(body: object) -> bytes:
    if isinstance(body, bytes):
        return body
    try:
        if isinstance(body, str):
            return body.encode()
        if isinstance(body, Mapping):
            return msgspec.json.encode(dict(body))
    except (TypeError, ValueError) as error:
        raise BadBody(f"not JSON: {error}", "") from error
    raise BadBody(f"expected a mapping, text or bytes, got {type(body).__name__}", "")


def turns_of(bodies: object) -> list[Turn]:
    """Return the turns of /move bodies.

    Raises ValueError for a single body or another type, and BadBody as `turn_of` does.
    """
    if isinstance(bodies, Mapping | bytes | str):
        raise ValueError("bodies: expected a list of bodies, got one body")
    return [turn_of(body, f"bodies[{index}]") for index, body in enumerate(list_of("bodies", bodies))]


def check_names(options: Options, known: Iterable[str]) -> None:
    """Raise TypeError for an unknown option."""
    if unknown := options.keys() - set(known):
        raise TypeError(f"unknown option {min(unknown)}; there are {', '.join(known)}")


def time_of(value: object) -> float:
    """Return a number of seconds. Raises ValueError unless it is above 0 and at most `LONGEST`."""
    seconds = _number(value)
    if seconds is None or not 0 < seconds <= LONGEST:
        valid = f"seconds above 0, at most {LONGEST:g}, for example 0.3 for 300 milliseconds"
        raise ValueError(f"time: expected {valid}; got {value!r}")
    return seconds


def moves_of(name: str, moves: object) -> list[str]:
    """Return moves as a list. Raises ValueError for another type, or an unknown move."""
    if isinstance(moves, str):
        raise ValueError(f"{name}: expected a list of moves, got the text {moves!r}")
    found = list_of(name, moves)
    if unknown := [move for move in found if move not in MOVES]:
        raise ValueError(f"{name}: expected some of {', '.join(MOVES)}, got {unknown[0]!r}")
    return found


def plan_of(strategy: object, options: Options) -> Plan:
    """Return the plan of a search. Raises ValueError for an invalid strategy, weight or limit."""
    counts = {name: whole_of(name, options[name]) for name in _LIMITS if name in options}
    weights = _weights_of(options.get("weights", {}))
    return Plan(strategy=text_of("strategy", strategy), evaluator_weights=weights, limits=Limits(**counts))


def whole_of(name: str, value: object) -> int:
    """Return the value of an option that is a whole number. Raises ValueError if it is out of range."""
    least, most = _COUNTS[name]
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < least:
        bound = f" of {least} or more" if least >= 0 else ""
        raise ValueError(f"{name}: expected a whole number{bound}, got {value!r}")
    if int(value) > most:
        raise ValueError(f"{name}: expected at most {most}, got {value!r}")
    return int(value)


def flag_of(name: str, value: object) -> bool:
    """Return a truth value. Raises ValueError for any other value."""
    if value not in (True, False):
        raise ValueError(f"{name}: expected True or False, got {value!r}")
    return bool(value)


def list_of(name: str, values: object) -> list[Any]:
    """Return the values of an iterable. Raises ValueError for another type."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name}: expected a list, got {type(values).__name__}")
    return list(values)


def _weights_of(value: object) -> dict[str, float]:
    if not isinstance(value, Mapping):
        raise ValueError(f"weights: expected a mapping of names to numbers, got {type(value).__name__}")
    weights: dict[str, float] = {}
    for name, weight in value.items():
        if (number := _number(weight)) is None:
            raise ValueError(f"weights: expected a number for {name!r}, got {weight!r}")
        weights[text_of("weights", name)] = number
    return weights


def _number(value: object) -> float | None:
    """Return a value as a number; None for another type."""
    return None if isinstance(value, bool) or not isinstance(value, Real) else float(value)
