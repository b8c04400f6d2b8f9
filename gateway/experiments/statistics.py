"""Statistics of results: the interval of a share.

A game's score is 1 for a win, 1/2 for a draw, 0 for a loss. SciPy would take longer to import than everything
else that a report does.
"""

from math import sqrt

from battlesnake_search.common.estimation import CONFIDENCE, Estimate

ERROR = 1 - CONFIDENCE

_Z = 1.959963984540054
"""The standard deviations of a normal distribution on either side of its mean that hold CONFIDENCE of it."""


def share(part: int, total: int) -> Estimate | None:
    """Return the share of a part of the total, with Wilson's interval; None if the total is 0.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if not total:
        return None
    value, spread = part / total, _Z**2 / total
    centre = (value + spread / 2) / (1 + spread)
    margin = sqrt(spread * (value * (1 - value) + spread / 4)) / (1 + spread)
    return Estimate(value, max(0.0, centre - margin), min(1.0, centre + margin))
