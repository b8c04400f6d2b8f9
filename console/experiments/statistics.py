"""Statistics of results: shares, means over games, the difference of two arms, and the check of the draw.

A game's score is 1 for a win, 1/2 for a draw, 0 for a loss. SciPy's import would take longer than the rest
of a report.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import exp, fsum, lgamma, log, sqrt
from statistics import NormalDist

import msgspec

from battlesnake_search.common.estimation import CONFIDENCE, Estimate, fixed

ERROR = 1 - CONFIDENCE

_Z = NormalDist().inv_cdf(1 - ERROR / 2)
"""The half-width, in standard deviations, of the interval that holds CONFIDENCE of a normal distribution."""

MIN_GAMES = 30
"""A decision needs this number of games of each arm. With fewer games, their variance is uncertain."""

_EXPECTED_DIFFERENCE = 0.1
"""The difference in score that the test finds fastest. It finds other differences too."""

_IN_SIGHT = 20_000
"""A decision is in sight if at most this many games are missing."""

_ONE_WIN_AND_ONE_LOSS = 2 * 0.5**2
"""The squared distances of one win and one loss, added to each arm, so that equal results have a variance
too."""

_MISMATCH = 0.001
"""The p-value below which the shares of the games differ from the shares of the draw."""

_CONCENTRATION = 20.0
"""The concentration of the test's Dirichlet distribution around the drawn shares: how close a mismatch is
expected to be."""

Shares = Mapping[str, float]
"""The share of the games that each arm of a draw plays, by its name; all are above 0."""


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


class Spread(msgspec.Struct, frozen=True):
    """The mean over all moves. Four games in five have a mean from `low` to `high`."""

    mean: float
    low: float
    high: float


def spread(games: Iterable[tuple[float | None, int]]) -> Spread | None:
    """Return the spread over games, from each game's mean and moves; None if no mean is known."""
    known = [(mean, moves) for mean, moves in games if mean is not None and moves]
    if not known:
        return None
    means = sorted(mean for mean, _ in known)
    tenth = len(means) // 10
    total = fsum(mean * moves for mean, moves in known)
    return Spread(total / sum(moves for _, moves in known), means[tenth], means[-1 - tenth])


class Totals:
    """The summed scores of two arms. An addition takes constant time.

    `error` is the probability that any of the intervals misses the true difference.
    """

    def __init__(self, error: float = ERROR) -> None:
        self._error = error
        self._arms = (_ArmTotals(), _ArmTotals())
        self._met = _MetTotals()

    def add(self, arm: int, game: str, score: float) -> None:
        """Add the score of a snake of the first arm (0) or the second one (1) in a game."""
        opponent = self._arms[1 - arm].by_game.get(game)
        if opponent is not None:
            self._met.games += game not in self._arms[arm].by_game
            self._met.add(arm, score, *opponent)
        self._arms[arm].add(game, score)

    @property
    def games(self) -> tuple[int, int]:
        """The number of games of each arm."""
        return len(self._arms[0].by_game), len(self._arms[1].by_game)

    def difference(self) -> Estimate | None:
        """Return the difference of the arms' mean scores; None if either has no game.

        The interval is always valid: with probability 1 - error, the intervals after every game all contain
        the true difference. So a reader may look at any time, and stop as soon as 0 is outside. The interval
        is from the mixture sequential probability ratio test with the estimated variance of the difference:
        R. Johari, L. Pekelis, D. Walsh, "Always valid inference" (2015). Games must be independent; the
        snakes of one game need not be.
        """
        if not all(self.games):
            return None
        value, margin = self._value, self._margin(self._variance)
        return Estimate(value, max(-1.0, value - margin), min(1.0, value + margin))

    def decision(self) -> int:
        """Return 1 if the first arm is better, -1 if the second arm is better, 0 while undecided."""
        if min(self.games) < MIN_GAMES:
            return 0
        value, margin = self._value, self._margin(self._variance)
        return (value > margin) - (value < -margin)

    def games_missing(self, deviations: float = 0.0) -> int | None:
        """Return the number of further games until a decision; None if it is not in sight.

        The expected difference is the difference so far plus this number of standard deviations. The arms
        keep their shares of the games, and the variance falls with the number of games.
        """
        if not all(self.games):
            return None
        variance, games = self._variance, sum(self.games) - self._met.games
        value, fewest = abs(self._value), min(self.games)
        expected = value + deviations * sqrt(variance)

        def decides(missing: int) -> bool:
            growth = 1 + missing / games
            mean = (value * games + expected * missing) / (games + missing)
            return fewest * growth >= MIN_GAMES and self._margin(variance / growth) < mean

        if expected <= 0 or not decides(_IN_SIGHT):
            return None
        return bisect_left(range(_IN_SIGHT), True, key=decides)

    @property
    def _value(self) -> float:
        ones, others = self._arms
        return ones.mean - others.mean

    @property
    def _variance(self) -> float:
        """The variance of the difference of means: the sum of the squares of each game's part in it."""
        ones, others = self._arms
        product = self._met.product(ones.mean, others.mean) / (ones.snakes * others.snakes)
        parts = ones.squares / ones.snakes**2 + others.squares / others.snakes**2 - 2 * product
        return max(0.0, parts) + _ONE_WIN_AND_ONE_LOSS * (1 / ones.snakes**2 + 1 / others.snakes**2)

    def _margin(self, variance: float) -> float:
        """Return half the length of the always valid interval of a difference with this variance."""
        mixed = _EXPECTED_DIFFERENCE**2
        likely = log((variance + mixed) / (variance * self._error**2))
        return sqrt(variance * (variance + mixed) / mixed * likely)


@dataclass(slots=True)
class _ArmTotals:
    """The sums of an arm. A game with n of its snakes and the score s of them all is (s, n) in `by_game`."""

    by_game: dict[str, tuple[float, int]] = field(default_factory=dict)
    score: float = 0.0
    snakes: int = 0
    score_squared: float = 0.0
    score_by_snakes: float = 0.0
    snakes_squared: int = 0

    def add(self, game: str, score: float) -> None:
        """Add the score of a snake."""
        before, snakes = self.by_game.get(game, (0.0, 0))
        self.by_game[game] = before + score, snakes + 1
        self.score += score
        self.snakes += 1
        self.score_squared += score * (2 * before + score)
        self.score_by_snakes += before + score * (snakes + 1)
        self.snakes_squared += 2 * snakes + 1

    @property
    def mean(self) -> float:
        """The mean score of a snake."""
        return self.score / self.snakes

    @property
    def squares(self) -> float:
        """The sum over games of the squared distance of the score from the number of snakes times `mean`."""
        return self.score_squared - 2 * self.mean * self.score_by_snakes + self.mean**2 * self.snakes_squared


@dataclass(slots=True)
class _MetTotals:
    """Sums of the products of scores and snakes, over the games in which both arms had snakes."""

    games: int = 0
    scores: float = 0.0
    score_by_snakes: list[float] = field(default_factory=lambda: [0.0, 0.0])
    """By arm, the sum of its score times the number of the other arm's snakes."""
    snakes: int = 0

    def add(self, arm: int, score: float, opponent_score: float, opponent_snakes: int) -> None:
        """Add the score of a snake in a game in which the other arm has this score and number of snakes."""
        self.scores += score * opponent_score
        self.score_by_snakes[arm] += score * opponent_snakes
        self.score_by_snakes[1 - arm] += opponent_score
        self.snakes += opponent_snakes

    def product(self, mean: float, other: float) -> float:
        """Return the sum over games of the product of the arms' distances, given their mean scores."""
        ones, others = self.score_by_snakes
        return self.scores - other * ones - mean * others + mean * other * self.snakes


@dataclass(frozen=True, slots=True)
class SampleRatio:
    """The number of played games of each arm, and the number that its shares predict.

    `p` is always valid: if the draw works, the probability that `p` ever falls below a bound is at most that
    bound.
    """

    games: Mapping[str, int]
    expected: Mapping[str, float]
    p: float
    mismatch: bool
    warning: str
    """A sentence about the mismatch; empty without a mismatch."""


def sample_ratio(drawn: Iterable[tuple[str, Shares]]) -> SampleRatio:
    """Test whether the arms have as many games as their weights say.

    Each game comes with its arm and the weights.

    The test is by M. Lindon and A. Malek, "Anytime-valid inference for multinomial count data" (2022):
    the Bayes factor of the drawn shares against a Dirichlet distribution around them. Games of different
    shares are separate samples, and the samples' factors multiply.
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
    counts = ", ".join(
        f"{arm} has {games[arm]} games instead of about {fixed(expected[arm])}" for arm in games
    )
    return (
        f"WARNING: sample ratio mismatch: of {sum(games.values())} games {counts} (p = {p:.1g}). "
        "Games of one arm get lost, or were not drawn by the weights of the routes: "
        "do not trust the comparison before you know why."
    )


def _log_bayes_factor(counts: Counter[str], shares: Shares) -> float:
    """Return the logarithm of the counts' likelihood ratio, of the mixture to the shares."""
    ordered = lgamma(_CONCENTRATION) - lgamma(_CONCENTRATION + counts.total())
    return ordered + fsum(
        lgamma(_CONCENTRATION * share + counts[arm])
        - lgamma(_CONCENTRATION * share)
        - counts[arm] * log(share)
        for arm, share in shares.items()
    )
