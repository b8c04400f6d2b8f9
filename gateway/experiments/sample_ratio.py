"""The check of the draw: whether each arm has played its share of the games.

If it has not, games of an arm get lost, and what is left of them can't be compared.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import exp, fsum, lgamma, log

_MISMATCH = 0.001
"""The p-value below which the shares of the games are not those of the draw."""

_CONCENTRATION = 20.0
"""How near to the drawn shares the test expects other ones; it finds all of them, but these the fastest."""

Shares = Mapping[str, float]
"""The share of the games that each arm of a draw plays, by its name; all are above 0."""


@dataclass(frozen=True, slots=True)
class SampleRatio:
    """The games that each arm has played, and those that its shares let expect.

    `p` is always valid: with a draw that works, the probability that it is ever below a bound is that bound.
    """

    games: Mapping[str, int]
    expected: Mapping[str, float]
    p: float
    mismatch: bool
    warning: str
    """A sentence about the mismatch; empty without one."""


def sample_ratio(drawn: Iterable[tuple[str, Shares]]) -> SampleRatio:
    """Test the games that were drawn, each of which has its arm and the shares of its draw.

    The test is that of M. Lindon and A. Malek, "Anytime-valid inference for multinomial count data" (2022):
    the Bayes factor of the drawn shares against a Dirichlet distribution around them. Games of different
    shares are different samples, whose factors multiply.
    """
    samples: dict[tuple[tuple[str, float], ...], Counter[str]] = defaultdict(Counter)
    for arm, shares in drawn:
        samples[tuple(sorted(shares.items()))][arm] += 1
    games, expected, evidence = Counter[str](), defaultdict[str, float](float), 0.0
    for key, counts in samples.items():
        shares, total = dict(key), counts.total()
        games.update({arm: counts[arm] for arm in shares})
        for arm, share in shares.items():
            expected[arm] += share * total
        evidence += _log_bayes_factor(counts, shares)
    p = exp(-max(0.0, evidence))
    warning = _warning(games, expected, p) if p < _MISMATCH else ""
    return SampleRatio(dict(games), dict(expected), p, bool(warning), warning)


def _warning(games: Mapping[str, int], expected: Mapping[str, float], p: float) -> str:
    counts = ", ".join(f"{arm} has {games[arm]} games instead of about {expected[arm]:.0f}" for arm in games)
    return (
        f"WARNING: sample ratio mismatch: of {sum(games.values())} games {counts} (p = {p:.1g}). "
        "Games of one arm get lost, or were not drawn by the weights of the routes: "
        "do not trust the comparison before you know why."
    )


def _log_bayes_factor(counts: Counter[str], shares: Shares) -> float:
    """Return the logarithm of how much likelier the counts are under the mixture than under the shares."""
    ordered = lgamma(_CONCENTRATION) - lgamma(_CONCENTRATION + counts.total())
    return ordered + fsum(
        lgamma(_CONCENTRATION * share + counts[arm])
        - lgamma(_CONCENTRATION * share)
        - counts[arm] * log(share)
        for arm, share in shares.items()
    )
