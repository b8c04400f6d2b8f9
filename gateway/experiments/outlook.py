"""What a decision between two arms still takes: a range of games, and of days at the present rate."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec

from gateway.experiments.totals import Totals

RECENT_GAMES = 200
"""The newest games, by which the rate is measured."""

_DAY = timedelta(days=1)


class Outlook(msgspec.Struct, frozen=True):
    """The games until a decision if they go on as so far. Two in three experiments lie within the range.

    `fewest` is for a difference that is larger than it looks by one standard deviation, `most` for one that
    is smaller. None: not in sight. `games_a_day` is the present rate, None if it is unknown.
    """

    fewest: int | None
    most: int | None
    games_a_day: float | None


def outlook(totals: Totals, times: Sequence[datetime], now: datetime) -> Outlook:
    """Return what a decision takes; `times` are the ends of the games so far, in order."""
    return Outlook(totals.games_missing(1), totals.games_missing(-1), _games_a_day(times, now))


def _games_a_day(times: Sequence[datetime], now: datetime) -> float | None:
    recent = times[-RECENT_GAMES:]
    # A pause that lasts until now counts too.
    span = now - recent[0] if recent else timedelta()
    return len(recent) / (span / _DAY) if span > timedelta() else None
