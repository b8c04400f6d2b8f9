"""What shadows did beside an arm: over all its games, of which each was recorded with its own means."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import msgspec

from gateway.outcomes.record import Shadow


@dataclass(frozen=True, slots=True)
class ShadowSummary:
    """A shadow beside an arm, over the positions for which both found a move.

    `agreement` is the share of them in which it was the same one. Depths are turns, scores from -1 (lost) to
    1 (won); `played_...` are the arm's own. None: not recorded.
    """

    name: str
    strategies: list[str]
    games: int
    positions: int
    agreement: float
    mean_depth: float | None
    mean_score: float | None
    played_mean_depth: float | None
    played_mean_score: float | None


def summaries(games: Iterable[Mapping[str, Any]]) -> list[ShadowSummary]:
    """Each shadow of an arm, by name. A game has its shadows as they are recorded."""
    by_name: dict[str, list[Shadow]] = defaultdict(list)
    for game in games:
        for name, recorded in game.items():
            by_name[name].append(msgspec.convert(recorded, Shadow))
    return [_summary(name, seen) for name, seen in sorted(by_name.items())]


def _summary(name: str, seen: Sequence[Shadow]) -> ShadowSummary:
    positions = sum(one.compared for one in seen)
    # Means beside one another are of the same positions.
    whole = [one for one in seen if one.mean_score is not None]
    return ShadowSummary(
        name=name,
        strategies=sorted({one.strategy for one in seen}),
        games=len(seen),
        positions=positions,
        agreement=sum(one.agreed for one in seen) / positions,
        mean_depth=_mean(whole, "mean_depth"),
        mean_score=_mean(whole, "mean_score"),
        played_mean_depth=_mean(whole, "played_mean_depth"),
        played_mean_score=_mean(whole, "played_mean_score"),
    )


def _mean(games: Sequence[Shadow], field: str) -> float | None:
    """Over all positions of the games."""
    if not games:
        return None
    total: float = fsum(getattr(game, field) * game.compared for game in games)
    return total / sum(game.compared for game in games)
