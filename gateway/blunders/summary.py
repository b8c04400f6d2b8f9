"""What many reviews have in common: how our snakes died, and when that could have been seen."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median

import msgspec

from gateway.blunders.values import Review

UNKNOWN = "unknown"
"""The cause of a death that the boards do not explain, and of a lost game without one."""


class CauseSummary(msgspec.Struct, frozen=True):
    """The lost games of one cause of death, with medians over those games that have the figure.

    `turns_lost` is from the losing turn to the death, `turns_seen` from the turn in which a search first
    proved the loss, and `depth` the depth of that search.
    """

    cause: str
    games: int
    turns_lost: float | None
    turns_seen: float | None
    depth: float | None


def by_cause(reviews: Iterable[Review]) -> list[CauseSummary]:
    """Return a summary of the lost games for each cause, the most frequent one first."""
    causes: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        if review.result == "lost":
            causes[review.cause or UNKNOWN].append(review)
    summaries = [_summary(cause, found) for cause, found in causes.items()]
    return sorted(summaries, key=lambda summary: (-summary.games, summary.cause))


def _summary(cause: str, reviews: Sequence[Review]) -> CauseSummary:
    dead = [(review, review.died_at) for review in reviews if review.died_at is not None]
    return CauseSummary(
        cause,
        len(reviews),
        _median(died - review.lost_at for review, died in dead if review.lost_at is not None),
        _median(died - review.seen_at for review, died in dead if review.seen_at is not None),
        _median(review.seen_depth for review in reviews if review.seen_depth is not None),
    )


def _median(values: Iterable[int]) -> float | None:
    found = list(values)
    return float(median(found)) if found else None
