"""A comparison in words for people who don't know statistics."""

from battlesnake_search.common.estimation import Estimate
from gateway.experiments.outlook import Outlook
from gateway.experiments.totals import MIN_GAMES

_HUNDRED = 100
"""The games in which a difference is told: a win counts 1 point, a draw 1/2."""

Arms = tuple[str, str]


def summary(arms: Arms, difference: Estimate | None, decided: bool) -> str:
    """Return what is known of the difference of two arms, the challenger and the control."""
    challenger, control = arms
    if difference is None:
        return f"{challenger} and {control}, the control, can't be compared before both have played."
    low, high = difference.low * _HUNDRED, difference.high * _HUNDRED
    if not decided:
        return (
            f"No difference is shown yet: of 100 games, {challenger} may win {_more_or_fewer(low, high)} "
            f"than {control}, the control. A draw counts half."
        )
    word = "better" if difference.value > 0 else "worse"
    least, most = sorted((abs(low), abs(high)))
    return (
        f"{challenger} is {word} than {control}, the control: of 100 games, it wins about "
        f"{abs(difference.value) * _HUNDRED:.0f} {'more' if difference.value > 0 else 'fewer'} "
        f"(between {least:.0f} and {most:.0f}). A draw counts half."
    )


def _more_or_fewer(low: float, high: float) -> str:
    return f"anything from {_signed(low)} to {_signed(high)}"


def _signed(games: float) -> str:
    return f"{abs(games):.0f} {'more' if games > 0 else 'fewer'}"


def still_needed(arms: Arms, games: tuple[int, int], outlook: Outlook | None) -> str:
    """Return what a decision still takes; what can't be told is not guessed."""
    if min(games) < MIN_GAMES:
        counts = " and ".join(f"{arm} has {count}" for arm, count in zip(arms, games, strict=True))
        return f"Each arm needs at least {MIN_GAMES} games before anything is decided: {counts}."
    if outlook is None or outlook.fewest is None:
        return "When a decision comes can't be told yet: so far, the arms look equally good."
    if outlook.most is None:
        return (
            f"If it goes on like this, a decision takes at least {_many(rounded(outlook.fewest))} more"
            f"{_time(outlook, outlook.fewest)}. How many at most can't be told: the arms may be equally good."
        )
    fewest, most = rounded(outlook.fewest), rounded(outlook.most)
    return (
        f"If it goes on like this, a decision takes between {fewest:,} and {most:,} more games"
        f"{_time(outlook, outlook.fewest, outlook.most)}."
    )


def _time(outlook: Outlook, *games: int) -> str:
    """Return how long these numbers of games take at the present rate; empty if that is unknown."""
    if not outlook.games_a_day:
        return ""
    lengths = " to ".join(dict.fromkeys(_length(number / outlook.games_a_day) for number in games))
    rate = round(outlook.games_a_day)
    return f" ({lengths} at {_many(rate)} a day)" if rate else f" ({lengths} at the present rate)"


def _length(days: float) -> str:
    if days < 1:
        hours = max(1, round(days * 24))
        return f"{hours} hour" if hours == 1 else f"{hours} hours"
    whole = rounded(round(days))
    return f"{whole:,} day" if whole == 1 else f"{whole:,} days"


def _many(games: int) -> str:
    return f"{games:,} game" if games == 1 else f"{games:,} games"


def rounded(number: int) -> int:
    """Return a number rounded up to two digits."""
    unit = int("1".ljust(len(str(number)) - 1, "0"))
    return -(-number // unit) * unit
