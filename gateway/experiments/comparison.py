"""The comparison of an arm with the control, over the games for which either could have been drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import merge

import msgspec

from battlesnake_search.common.estimation import Estimate
from gateway.experiments import words
from gateway.experiments.games import SCORES, Game
from gateway.experiments.outlook import Outlook, outlook
from gateway.experiments.series import Series
from gateway.experiments.statistics import ERROR
from gateway.experiments.totals import Totals

UNDECIDED = "undecided"

AllSeries = Mapping[str, Sequence[Series]]
"""The series of each arm, by its name; the newest is the last."""

_MOST_MOMENTS = 200
"""The most moments of a history, however many games it has."""


class Moment(msgspec.Struct, frozen=True):
    """The comparison after a game."""

    at: datetime
    games: tuple[int, int]
    difference: Estimate


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
    history: list[Moment]
    """The difference over time: evenly spaced moments, the last of them after the last game."""
    first_decided: Moment | None
    """The first moment at which one arm was better; None if there was none."""
    outlook: Outlook | None
    """What a decision still takes; None if there is one, or without a difference."""
    summary: str
    """The decision, and what it means, in words for people."""
    still_needed: str
    """What a decision still takes, in words for people; empty if there is one."""


def compare_all(series: AllSeries, control: str | None, now: datetime) -> list[ArmComparison]:
    """Return the comparison of every other arm with the control; none if that is unknown."""
    challengers = [arm for arm in sorted(series) if arm != control]
    if control is None or not challengers:
        return []
    # All of them together err as seldom as one alone would.
    error = ERROR / len(challengers)
    return [_compare(series, (challenger, control), error, now) for challenger in challengers]


def control_of(games: Sequence[Game], arms: Iterable[str]) -> str | None:
    """Return the control, one of these arms; None if it is unknown.

    It is the control of the last game that has one. Where none has been recorded, and of two arms, it is the
    last one by name.
    """
    among = set(arms)
    known = next((game.control for game in reversed(games) if game.control in among), None)
    return known or (max(among) if len(among) == 2 else None)


def last_change(arms: Iterable[Sequence[Series]]) -> datetime | None:
    """Return when the last of these arms began a new series; None if all have only one."""
    return max((one[-1].games[0].ended_at for one in arms if len(one) > 1), default=None)


def _compare(series: AllSeries, arms: tuple[str, str], error: float, now: datetime) -> ArmComparison:
    games = list(_compared(series, arms))
    totals, history, first_decided = _played(games, arms, error)
    better, difference = totals.decision(), totals.difference()
    takes = outlook(totals, [game.ended_at for game in games], now) if difference and not better else None
    return ArmComparison(
        arms=arms,
        difference=difference,
        decision=f"{arms[0] if better > 0 else arms[1]} is better" if better else UNDECIDED,
        games=totals.games,
        games_missing=0 if better else totals.games_missing(),
        history=history,
        first_decided=first_decided,
        outlook=takes,
        summary=words.summary(arms, difference, decided=bool(better)),
        still_needed="" if better else words.still_needed(arms, totals.games, takes),
    )


def _compared(series: AllSeries, arms: tuple[str, str]) -> Iterator[Game]:
    """Yield the games of both arms that are compared, in the order of their ends."""
    since = last_change(series[arm] for arm in arms)
    games = merge(*(series[arm][-1].games for arm in arms), key=lambda game: game.ended_at)
    return (game for game in games if game.result and _counts(game, arms, since))


def _counts(game: Game, arms: tuple[str, str], since: datetime | None) -> bool:
    """Return whether the game counts, and was drawn between these arms, as they are now."""
    # Only the draw makes arms comparable: a request that names an arm may depend on the game, and so may
    # opponents on the time.
    together = game.shares is None or all(arm in game.shares for arm in arms)
    return game.counts and together and (since is None or game.ended_at >= since)


def _played(
    games: Sequence[Game], arms: tuple[str, str], error: float
) -> tuple[Totals, list[Moment], Moment | None]:
    """Return the totals of all games, the history, and the first moment with a decision."""
    totals, history, first_decided = Totals(error), list[Moment](), None
    shown = {len(games) - len(games) * part // _MOST_MOMENTS for part in range(_MOST_MOMENTS)}
    for number, game in enumerate(games, 1):
        totals.add(arms.index(game.arm), game.game_id, SCORES[game.result])  # type: ignore[index]
        decides = first_decided is None and totals.decision()
        if (number in shown or decides) and (difference := totals.difference()):
            moment = Moment(game.ended_at, totals.games, difference)
            first_decided = moment if decides else first_decided
            history += [moment] if number in shown else []
    return totals, history, first_decided
