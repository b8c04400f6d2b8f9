"""What a sample without any variation says: a bound by the rule of three."""

from estimation.estimate import CONFIDENCE, Estimate


def least_alike_share(blocks: int) -> float:
    """The share of blocks that are like those seen, at least, when all those seen were alike.

    With a smaller share s, seeing as many alike would have a chance s ** blocks of less than 5 %: the "rule
    of three", exactly. (Hanley and Lippman-Hand, "If nothing goes wrong, is everything all right?", 1983.)
    """
    return (1 - CONFIDENCE) ** (1 / blocks) if blocks else 0.0


def constant_sample_mean(value: float, blocks: int) -> Estimate:
    """The mean of blocks that were all worth `value`: the unlike ones, unseen, may be worth 0 or 1."""
    alike = least_alike_share(blocks)
    return Estimate(value, value * alike, 1 - (1 - value) * alike)


def sign_probability(blocks: int) -> float:
    """The chance that even entrants' blocks all favour the one that they did: at most a coin's, each time."""
    return 0.5**blocks
