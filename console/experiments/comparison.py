"""The comparison of an arm with the control, over the games in which both arms could have been drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from heapq import merge
from itertools import accumulate

import msgspec

from battlesnake_search.common.cli import counted
from battlesnake_search.common.estimation import Estimate, fixed, percent
from battlesnake_search.record.outcome import LEAST_SEARCHED
from console.experiments.games import SCORES, Game, Series
from console.experiments.statistics import ERROR, MIN_GAMES, Totals

UNDECIDED = "undecided"

AllSeries = Mapping[str, Sequence[Series]]
"""The series of each arm, by the arm's name, oldest first."""

_MOST_MOMENTS = 200
"""The most moments of a history, for any number of games."""

RECENT_GAMES = 200
"""The rate of games is measured over this number of newest games."""

_DAY = timedelta(days=1)

_HUNDRED = 100
"""The number of games in the statement of a difference: a win is 1 point, a draw 1/2."""

Arms = tuple[str, str]
"""The challenger and the control."""


class Outlook(msgspec.Struct, frozen=True):
    """The expected number of games until a decision. Two in three experiments lie within the range.

    `fewest` assumes that the difference is one standard deviation larger than measured. `most` assumes that
    it is one standard deviation smaller. Both are None if no decision is in sight. `games_a_day` is the
    present rate, None if it is unknown.
    """

    fewest: int | None
    most: int | None
    games_a_day: float | None


class Moment(msgspec.Struct, frozen=True):
    """The comparison after a game, at the time by which it and all games before it had ended."""

    at: datetime
    games: tuple[int, int]
    difference: Estimate


class ArmComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A challenger's score minus the control's score, and the decision about the difference in words."""

    arms: Arms
    difference: Estimate | None = None
    decision: str = msgspec.field(name="verdict", default=UNDECIDED)
    """A sentence; its key in JSON is `verdict`."""
    games: tuple[int, int]
    """The number of compared games of each arm. Their results are known."""
    waiting: int
    """The number of other games with a known result that began after a game that is still going on."""
    games_missing: int | None = None
    """The expected number of games until a decision: 0 after it, None if it is not in sight."""
    history: list[Moment] = []
    """The difference over time: evenly spaced moments, the last of them after the last game."""
    first_decided: Moment | None = None
    """The first moment at which 0 was outside the interval and each arm had enough games, or None."""
    outlook: Outlook | None = None
    """The expected number of games and days until a decision; None after it, or without a difference."""
    summary: str
    """The decision and its meaning, in words for people."""
    still_needed: str
    """The number of games and days until a decision, in words for people; empty after a decision."""
    least_games: int = MIN_GAMES
    """The number of games that each arm needs for a decision."""


def compare_all(
    series: AllSeries, control: str | None, now: datetime, oldest_running: datetime | None = None
) -> list[ArmComparison]:
    """Return the comparison of every other arm with the control; empty if the control is unknown.

    Games that began after the beginning of the oldest running game wait, because of the games that began
    together, those with a quick result end first.
    """
    challengers = [arm for arm in sorted(series) if arm != control]
    if control is None or not challengers:
        return []
    # Each comparison gets a part of the error, so that all together err as seldom as one alone would.
    error = ERROR / len(challengers)
    return [_compare(series, (one, control), error, now, oldest_running) for one in challengers]


def control_of(games: Sequence[Game], arms: Iterable[str]) -> str | None:
    """Return the control, one of these arms; None if it is unknown.

    It is the control in the last game that records one. If no game records a control and there are two arms,
    it is the last arm by name.
    """
    among = set(arms)
    known = next((game.control for game in reversed(games) if game.control in among), None)
    return known or (max(among) if len(among) == 2 else None)


def last_change(arms: Iterable[Sequence[Series]]) -> datetime | None:
    """Return the time of the last change of an arm to a new series; None if each arm has only one series."""
    return max((one[-1].games[0].place_in_time for one in arms if len(one) > 1), default=None)


def _compare(
    series: AllSeries, arms: Arms, error: float, now: datetime, oldest_running: datetime | None
) -> ArmComparison:
    known = list(_compared(series, arms))
    games = [game for game in known if oldest_running is None or game.place_in_time < oldest_running]
    totals, history, first_decided = _played(games, arms, error)
    if reflexes := [arm for arm in arms if not series[arm][-1].is_searched]:
        return _unjudged(arms, reflexes, totals.games, len(known) - len(games))
    better, difference = totals.decision(), totals.difference()
    ends = sorted(game.ended_at for game in games)
    takes = outlook(totals, ends, now) if difference and not better else None
    return ArmComparison(
        arms=arms,
        difference=difference,
        decision=f"{arms[0] if better > 0 else arms[1]} is better" if better else UNDECIDED,
        games=totals.games,
        waiting=len(known) - len(games),
        games_missing=0 if better else totals.games_missing(),
        history=history,
        first_decided=first_decided,
        outlook=takes,
        summary=summary(arms, difference, decided=bool(better)),
        still_needed="" if better else still_needed(arms, totals.games, takes),
    )


def _unjudged(arms: Arms, reflexes: Sequence[str], games: tuple[int, int], waiting: int) -> ArmComparison:
    """Return a comparison without a difference, because these arms played too many reflexes."""
    too_few = f"too few moves of {' and '.join(reflexes)} were searched"
    return ArmComparison(
        arms=arms,
        games=games,
        waiting=waiting,
        summary=f"{arms[0]} and {arms[1]}, the control, are not compared: {too_few}.",
        still_needed=(
            f"They are compared again once searches find {percent(LEAST_SEARCHED)} of the moves of the last "
            f"{MIN_GAMES} games."
        ),
    )


def _compared(series: AllSeries, arms: Arms) -> Iterator[Game]:
    """Yield the games of both arms that can be compared, in order."""
    since = last_change(series[arm] for arm in arms)
    games = merge(*(series[arm][-1].games for arm in arms), key=lambda game: game.place_in_time)
    return (game for game in games if game.result and _counts(game, arms, since))


def _counts(game: Game, arms: Arms, since: datetime | None) -> bool:
    """Return whether the game counts, and was drawn between the present arms."""
    # Only games of one draw are comparable. A request that names an arm may do so because of the game, and
    # opponents may change over time.
    together = game.shares is None or all(arm in game.shares for arm in arms)
    return game.kind == "counts" and together and (since is None or game.place_in_time >= since)


def _played(games: Sequence[Game], arms: Arms, error: float) -> tuple[Totals, list[Moment], Moment | None]:
    """Return the totals of all games, the history, and the first moment with a decision."""
    totals, history, first_decided = Totals(error), list[Moment](), None
    ends = (game.ended_at for game in games)
    shown = {len(games) - len(games) * part // _MOST_MOMENTS for part in range(_MOST_MOMENTS)}
    for number, (game, at) in enumerate(zip(games, accumulate(ends, max), strict=True), 1):
        totals.add(arms.index(game.arm), game.game_id, SCORES[game.result])  # type: ignore[index]
        decides = first_decided is None and totals.decision()
        if (number in shown or decides) and (difference := totals.difference()):
            moment = Moment(at, totals.games, difference)
            first_decided = moment if decides else first_decided
            history += [moment] if number in shown else []
    return totals, history, first_decided


def outlook(totals: Totals, times: Sequence[datetime], now: datetime) -> Outlook:
    """Return the outlook of a decision; `times` are the ends of the games so far, in order."""
    return Outlook(totals.games_missing(1), totals.games_missing(-1), _games_a_day(times, now))


def _games_a_day(times: Sequence[datetime], now: datetime) -> float | None:
    recent = times[-RECENT_GAMES:]
    # The pause since the last game counts too.
    span = now - recent[0] if recent else timedelta()
    return len(recent) / (span / _DAY) if span > timedelta() else None


def summary(arms: Arms, difference: Estimate | None, decided: bool) -> str:
    """Return the difference of two arms in words for people who don't know statistics."""
    challenger, control = arms
    if difference is None:
        return f"{challenger} and {control}, the control, can't be compared before both have played."
    low, high = difference.low * _HUNDRED, difference.high * _HUNDRED
    if not decided:
        # With few games the interval is unreliable, so it may exclude 0 before a decision.
        state = "It is too early to decide" if low > 0 or high < 0 else "No difference is shown yet"
        return (
            f"{state}: of 100 games, {challenger} may win anything from "
            f"{_more_or_fewer(low)} to {_more_or_fewer(high)} than {control}, the control. "
            "A draw counts half."
        )
    word = "better" if difference.value > 0 else "worse"
    least, most = sorted((abs(low), abs(high)))
    return (
        f"{challenger} is {word} than {control}, the control: of 100 games, it wins about "
        f"{_more_or_fewer(difference.value * _HUNDRED)} "
        f"(between {fixed(least)} and {fixed(most)}). A draw counts half."
    )


def _more_or_fewer(games: float) -> str:
    return f"{fixed(abs(games))} {'more' if games > 0 else 'fewer'}"


def still_needed(arms: Arms, games: tuple[int, int], outlook: Outlook | None) -> str:
    """Return in words the games and the time until a decision, as far as they are known."""
    if min(games) < MIN_GAMES:
        counts = " and ".join(f"{arm} has {count}" for arm, count in zip(arms, games, strict=True))
        missing = sum(max(0, MIN_GAMES - count) for count in games)
        needed = f"Each arm needs at least {MIN_GAMES} games before anything is decided"
        return f"{needed}: {counts}. Still missing: {counted(missing, 'game')}."
    if outlook is None or outlook.fewest is None:
        return "When a decision comes can't be told yet: so far, the arms look equally good."
    fewest = rounded(outlook.fewest)
    if outlook.most is None:
        return (
            f"If it goes on like this, a decision takes at least {counted(fewest, 'game')} more"
            f"{_time(outlook, outlook.fewest)}. How many at most can't be told: the arms may be equally good."
        )
    most = rounded(outlook.most)
    return (
        f"If it goes on like this, a decision takes between {fewest:,} and {most:,} more games"
        f"{_time(outlook, outlook.fewest, outlook.most)}."
    )


def _time(outlook: Outlook, *games: int) -> str:
    """Return the time of these numbers of games at the present rate; empty if the rate is unknown."""
    if not outlook.games_a_day:
        return ""
    lengths = " to ".join(dict.fromkeys(_length(number / outlook.games_a_day) for number in games))
    rate = int(fixed(outlook.games_a_day)) if outlook.games_a_day >= 1 else 0
    return f" ({lengths} at {counted(rate, 'game')} a day)" if rate else f" ({lengths} at the present rate)"


def _length(days: float) -> str:
    if days < 1:
        return counted(max(1, int(fixed(days * 24))), "hour")
    return counted(rounded(int(fixed(days))), "day")


def rounded(number: int) -> int:
    """Return a number rounded up to two digits."""
    unit = int("1".ljust(len(str(number)) - 1, "0"))
    return -(-number // unit) * unit
