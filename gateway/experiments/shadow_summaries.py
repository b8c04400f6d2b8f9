"""The summaries of shadows over all games of an arm; each game was recorded with its own means."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from gateway.game.values import ShadowRecord


@dataclass(frozen=True, slots=True)
class ShadowSummary:
    """A shadow compared with an arm, over the positions for which both found a move.

    `agreement` is the share of positions in which both found the same move. Depths are in turns, scores from
    -1 (lost) to 1 (won); `played_...` are the arm's. None: not recorded.
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


def summaries(games: Iterable[Mapping[str, ShadowRecord]]) -> list[ShadowSummary]:
    """Return the summary of each shadow of an arm, sorted by name. A game has its shadows as recorded."""
    by_name: dict[str, list[ShadowRecord]] = defaultdict(list)
    for game in games:
        for name, recorded in game.items():
            by_name[name].append(recorded)
    return [_summary(name, its_games) for name, its_games in sorted(by_name.items())]


def _summary(name: str, games: Sequence[ShadowRecord]) -> ShadowSummary:
    positions = sum(game.compared for game in games)
    # All means are over the same positions.
    complete = [game for game in games if game.mean_score is not None]
    return ShadowSummary(
        name=name,
        strategies=sorted({game.strategy for game in games}),
        games=len(games),
        positions=positions,
        agreement=sum(game.agreed for game in games) / positions,
        mean_depth=_mean(complete, "mean_depth"),
        mean_score=_mean(complete, "mean_score"),
        played_mean_depth=_mean(complete, "played_mean_depth"),
        played_mean_score=_mean(complete, "played_mean_score"),
    )


def _mean(games: Sequence[ShadowRecord], field: str) -> float | None:
    """Return the mean of a field over all positions of the games; None without games."""
    if not games:
        return None
    total: float = fsum(getattr(game, field) * game.compared for game in games)
    return total / sum(game.compared for game in games)
