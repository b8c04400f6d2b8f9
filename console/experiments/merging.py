"""One game of a snake from the outcomes of several gateways, which may each have seen a part of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from math import fsum
from operator import itemgetter
from typing import Any

_SHADOW_MEANS = ("mean_depth", "mean_score", "played_mean_depth", "played_mean_score")

_MOVE_COUNTS = ("moves_best_so_far", "moves_stand_in", "moves_failed")

Row = dict[str, Any]
"""The fields of an outcome."""

Rows = list[Row]


def games_of(outcomes: Iterable[Row]) -> Rows:
    """Return every game of a snake, by experiment and time of its end.

    `Outcome` describes the fields. The outcomes of several gateways are merged into one.
    """
    found: defaultdict[tuple[str, str], Rows] = defaultdict(list)
    for row in sorted(outcomes, key=itemgetter("ended_at", "part")):
        found[row["game_id"], row["snake_id"]].append(row)
    games = [parts[0] if len(parts) == 1 else merged(parts) for parts in found.values()]
    return sorted(games, key=itemgetter("experiment", "ended_at", "game_id", "snake_id"))


def merged(parts: Sequence[Row]) -> Row:
    """Return the outcome of a snake's game from several gateways' views. Views are ordered by their ends.

    The result is from the view that has the most moves of the views that saw the end. Of several such views,
    it is from the last. The names are from the earliest view. Moves add up.
    """
    ends = [part for part in parts if part["ended"]] or parts
    last = max(reversed(ends), key=itemgetter("moves"))
    begun = [part for part in parts if part["seen_from"] is not None]
    first = min(begun, key=itemgetter("seen_from"), default=last)
    turns = [part["last_turn"] for part in parts if part["last_turn"] is not None]
    beginnings = [part["began_at"] for part in parts if part["began_at"] is not None]
    late = [part["timeouts"] for part in parts if part["timeouts"] is not None]
    played = [part["searched"] for part in parts if part["searched"] is not None]
    return last | {
        "snake": first["snake"],
        "opponents": first["opponents"],
        "drawn": _is_drawn(parts),
        "moves": sum(part["moves"] for part in parts),
        "timeouts": sum(late) if late else None,
        "mean_depth": _mean(parts, "mean_depth", "moves"),
        "mean_latency_ms": _mean(parts, "mean_latency_ms", "moves"),
        "seen_from": first["seen_from"],
        "last_turn": max(turns, default=None),
        "began_at": min(beginnings, default=None),
        "moves_searched": _moves_searched(parts),
        **{name: _known_sum(parts, name) for name in _MOVE_COUNTS},
        "searched": {name: one[name] for one in played for name in one} if played else None,
        "shadows": _shadows(parts),
    }


def _is_drawn(parts: Sequence[Row]) -> bool:
    """Return whether all views saw a drawn game of the same, unchanged arm."""
    if not all(part["drawn"] for part in parts):
        return False
    players = {(part["experiment"], part["arm"], part["setup"]) for part in parts}
    searched = chain.from_iterable((part["searched"] or {}).items() for part in parts)
    digests = {(name, strategy["digest"]) for name, strategy in searched}
    return len(players) == 1 and len(digests) == len({name for name, _ in digests})


def _moves_searched(parts: Sequence[Row]) -> int | None:
    """Return the number of moves that searches found; None if it is unknown for a part with searches."""
    if any(part["moves_searched"] is None and part["mean_depth"] is not None for part in parts):
        return None
    return sum(part["moves_searched"] or 0 for part in parts)


def _known_sum(parts: Sequence[Row], field: str) -> int | None:
    """Return the sum of a field over the parts with moves; None if it is unknown for one of them."""
    counts = [part[field] for part in parts if part["moves"]]
    return None if None in counts else sum(counts)


def _mean(values: Sequence[Row], field: str, weight: str) -> float | None:
    """Return the weighted mean of the known values; None if none is known."""
    known = [value for value in values if value.get(field) is not None]
    total = sum(value[weight] for value in known)
    return fsum(value[field] * value[weight] for value in known) / total if total else None


def _shadows(parts: Sequence[Row]) -> dict[str, Row]:
    """Return the records of shadows, over the positions of all parts."""
    by_name: defaultdict[str, Rows] = defaultdict(list)
    for part in parts:
        for name, shadow in part["shadows"].items():
            by_name[name].append(shadow)
    return {
        name: shadows[0]
        | {count: sum(shadow[count] for shadow in shadows) for count in ("compared", "agreed")}
        | {mean: _mean(shadows, mean, "compared") for mean in _SHADOW_MEANS}
        for name, shadows in by_name.items()
    }
