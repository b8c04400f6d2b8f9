"""The call for a search, from its arguments in the words of the Battlesnake API."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.translate import MOVES, directions, search_request

Body = Mapping[str, Any] | bytes | str
"""The body of a /move request: its JSON, or what that was parsed to."""

_SHARE_OF_TIMEOUT = 0.8
"""The share of a game's timeout that a search takes by default: the network needs the rest."""

_LIMITS = ("depth", "nodes", "threads", "seed")


class SearchOptions(TypedDict, total=False):
    """The options of a search; each may be left out.

    `time`: seconds until the answer is here, by default four fifths of the game's timeout. `weights` replace
    those of the strategy's evaluator, by name. The search ends earlier at a limit of `depth`, in turns, or
    `nodes`; with such a limit, one thread and the same `seed` the answer repeats exactly. `threads`: how many
    to search with, one by default. `moves`: the only ones to consider.
    """

    time: float
    weights: Mapping[str, float]
    depth: int
    nodes: int
    threads: int
    seed: int
    moves: Iterable[str]


@dataclass(frozen=True, slots=True)
class SearchCall:
    """A request, and the seconds until its answer is due."""

    request: search_pb2.StreamSearchRequest
    time: float


def new_call(body: Body, strategy: str, options: SearchOptions) -> SearchCall:
    """Return the call of a search for the best move of the body's `you`.

    Raises BadBody for an invalid body, TypeError for an unknown option, and ValueError for an invalid value;
    the error names the field or the argument.
    """
    if unknown := options.keys() - SearchOptions.__annotations__.keys():
        raise TypeError(
            f"unknown option {min(unknown)}; there are {', '.join(SearchOptions.__annotations__)}"
        )
    turn = _turn(body)
    time = options.get("time", turn.timeout / 1000 * _SHARE_OF_TIMEOUT)
    if not time > 0:
        raise ValueError(f"time: expected seconds above 0, got {time}")
    plan = Plan(strategy=strategy, evaluator_weights=options.get("weights", {}), limits=_limits(options))
    request = search_request(turn, plan)
    request.limits.root_moves.extend(_directions(options.get("moves", ())))
    return SearchCall(request, time)


def _turn(body: Body) -> bodies.Turn:
    if isinstance(body, Mapping):
        return bodies.decode(msgspec.json.encode(body))
    return bodies.decode(body.encode() if isinstance(body, str) else body)


def _limits(options: SearchOptions) -> Limits:
    given: Mapping[str, Any] = {name: value for name, value in options.items() if name in _LIMITS and value}
    try:
        return msgspec.convert(given, Limits)
    except msgspec.ValidationError as error:
        reason, _, name = str(error).partition(" - at `$.")
        raise ValueError(f"{name.rstrip('`')}: {reason}") from error


def _directions(moves: Iterable[str]) -> list[search_pb2.Direction]:
    wanted = list(moves)
    if unknown := [move for move in wanted if move not in MOVES]:
        raise ValueError(f"moves: expected some of {', '.join(MOVES)}, got {unknown[0]!r}")
    return directions(wanted)
