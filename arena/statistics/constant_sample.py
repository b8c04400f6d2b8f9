"""Bounds for a sample without variation, by the rule of three."""

from battlesnake_search.common.estimation import CONFIDENCE, Estimate


def least_alike_share(blocks: int) -> float:
    """Return the lower bound of the share of blocks that are like those seen, which were all alike.

    With a smaller share s, the probability s ** blocks of this sample would be less than 5 %: the exact form
    of the "rule of three" (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983).
    """
    return (1 - CONFIDENCE) ** (1 / blocks) if blocks else 0.0


def constant_sample_mean(value: float, blocks: int) -> Estimate:
    """Return the mean of blocks that were all worth `value`; unseen ones may be worth 0 or 1."""
    alike = least_alike_share(blocks)
    return Estimate(value, value * alike, 1 - (1 - value) * alike)


def sign_probability(blocks: int) -> float:
    """Return the largest probability that all blocks of equal entrants favour one of them: coin tosses."""
    return 0.5**blocks
