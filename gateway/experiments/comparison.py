"""The comparison of an arm with the control, over the games for which either could have been drawn."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

import msgspec

from estimation.estimate import Estimate
from gateway.experiments import statistics
from gateway.experiments.games import SCORES, Game
from gateway.experiments.series import Series

UNDECIDED = "undecided"

AllSeries = Mapping[str, Sequence[Series]]
"""The series of each arm, by its name; the newest is the last."""


class ArmComparison(msgspec.Struct, frozen=True):
    """A challenger's score minus the control's, and the decision about the difference in words."""

    arms: tuple[str, str]
    """The challenger, and the control."""
    difference: Estimate | None
    decision: str = msgspec.field(name="verdict")
    """A sentence; its key in JSON is `verdict`."""
    games: tuple[int, int]
    """The games of each with a known result that are compared."""
    games_missing: int | None
    """The games until a decision if they go on as so far; 0 if there is one, None if it is not in sight."""


def compare_all(series: AllSeries, control: str | None) -> list[ArmComparison]:
    """Return the comparison of every other arm with the control; none if that is unknown."""
    challengers = [arm for arm in sorted(series) if arm != control]
    if control is None or not challengers:
        return []
    # All of them together err as seldom as one alone would.
    error = statistics.ERROR / len(challengers)
    return [_compare(series, (challenger, control), error) for challenger in challengers]


def control_of(games: Sequence[Game], arms: Iterable[str]) -> str | None:
    """Return the control, one of these arms; None if it is unknown.

    It is the control of the last game that has one. Where none has been recorded, and of two arms, it is the
    last one by name.
    """
    among = sorted(arms)
    known = next((game.control for game in reversed(games) if game.control in among), None)
    return known or (among[-1] if len(among) == 2 else None)


def last_change(arms: Iterable[Sequence[Series]]) -> datetime | None:
    """Return when the last of these arms began a new series; None if all have only one."""
    return max((one[-1].games[0].ended_at for one in arms if len(one) > 1), default=None)


def _compare(series: AllSeries, arms: tuple[str, str], error: float) -> ArmComparison:
    since = last_change(series[arm] for arm in arms)
    ones, others = (
        _scores(game for game in series[arm][-1].games if _counts(game, arms, since)) for arm in arms
    )
    better = statistics.decide(ones, others, error)
    decision = f"{arms[0] if better > 0 else arms[1]} is better" if better else UNDECIDED
    return ArmComparison(
        arms=arms,
        difference=statistics.difference(ones, others, error),
        decision=decision,
        games=(len(ones), len(others)),
        games_missing=0 if better else statistics.games_missing(ones, others, error),
    )


def _counts(game: Game, arms: tuple[str, str], since: datetime | None) -> bool:
    """Return whether the game was drawn between these arms, as they are now."""
    # Only the draw makes arms comparable: a request that names an arm may depend on the game, and so may
    # opponents on the time.
    together = game.shares is None or all(arm in game.shares for arm in arms)
    return game.drawn and together and (since is None or game.ended_at >= since)


def _scores(games: Iterable[Game]) -> statistics.Scores:
    scores: dict[str, list[float]] = defaultdict(list)
    for game in games:
        if game.result:
            scores[game.game_id].append(SCORES[game.result])
    return scores
