"""The page's terms, its names of colours, and its format of numbers."""

from collections.abc import Sequence
from math import isfinite

from arena.matches.points import shares_outlived
from arena.records import Game, MoveLimits, Setup
from battlesnake_search.common.cli import counted
from battlesnake_search.common.estimation import Estimate
from battlesnake_search.viewer.colours import PALETTE

MINUS = "\N{MINUS SIGN}"
TIMES = "\N{MULTIPLICATION SIGN}"


def side_colour(entrant: int) -> str:
    """Return an entrant's colour. A ninth entrant has the colour of the first."""
    return PALETTE[entrant % len(PALETTE)]


def title_text(setup: Setup) -> str:
    """Return the title of the match: the contenders, and the opponents that they share."""
    names = [entrant.name for entrant in setup.entrants]
    contenders, company = names[: setup.contenders], names[setup.contenders :]
    if len(contenders) == 1:
        return f"{contenders[0]} against {counted(len(company), 'opponent')}"
    return " against ".join(contenders) + (f" in the company of {listed(company)}" if company else "")


def winner(setup: Setup, game: Game) -> int | None:
    """Return the entrant with more points than any other, or None for a draw, and for a snake alone."""
    if setup.snakes == 1:
        return None
    shares = shares_outlived(game, range(len(setup.entrants)))
    return shares.index(max(shares)) if shares.count(max(shares)) == 1 else None


def result_text(setup: Setup, game: Game) -> str:
    """Return the winner of a game, or the reason why no entrant won."""
    if game.void:
        return f"void: {game.void}"
    if setup.snakes == 1:
        return f"{setup.entrants[game.seats[0]].name} alone"
    won = winner(setup, game)
    return "draw" if won is None else f"{setup.entrants[won].name} won"


def limits_text(limits: MoveLimits) -> str:
    """Return the limits of a player for a move as text."""
    parts = [
        f"{limits.milliseconds:,} ms" if limits.milliseconds is not None else "",
        f"depth {limits.depth}" if limits.depth is not None else "",
        f"{limits.nodes:,} nodes" if limits.nodes is not None else "",
        f"{limits.threads} threads" if limits.threads > 1 else "",
    ]
    return ", ".join(filter(None, parts)) or "none"


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign, and a typographic minus."""
    return f"{value:+z.{digits}f}".replace("-", MINUS)


def plain(value: float) -> str:
    """Return a number in its shortest form, with a typographic minus."""
    return f"{value:g}".replace("-", MINUS)


def interval(estimate: Estimate) -> str:
    """Return an estimate with its 95 % interval, with both ends if the interval is asymmetric."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if not isfinite(estimate.margin):
        return estimate.without_margin(signed)
    if abs(high + low - 2 * value) < 0.1:
        return f"{signed(value)} ± {estimate.margin:.1f}"
    return f"{signed(value)} ({signed(low)} to {signed(high)})"


def share_interval(estimate: Estimate) -> str:
    """Return an estimate of a share with its interval, in per cent."""
    return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})".replace("%", " %")


def percent(share: float) -> str:
    """Return a share in per cent, never rounded to 0 or 100."""
    if 0.9995 <= share < 1:
        return "over 99.9 %"
    if 0 < share < 0.0005:
        return "under 0.1 %"
    return f"{share:.1%}".replace("%", " %")


def listed(names: Sequence[str]) -> str:
    """Return names as a sentence lists them."""
    return names[0] if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"
