"""Whether what a process holds grows."""

from collections.abc import Sequence
from random import Random

import pytest

from benchmarks.soak import Trend, trend

GAMES_PER_HOUR = 600.0

HALF_AN_HOUR = [5.0 * number for number in range(360)]


def memory(values: Sequence[float]) -> Trend:
    """Return the trend of a gateway's memory over half an hour."""
    return trend("gateway", "MB", HALF_AN_HOUR, values, GAMES_PER_HOUR)


def noise(spread: float) -> list[float]:
    """Return samples around 100 megabytes, of which neighbours resemble one another, as those of games do."""
    rng, values = Random(1), [100.0]
    while len(values) < len(HALF_AN_HOUR):
        values.append(100 + 0.8 * (values[-1] - 100) + rng.gauss(0, spread))
    return values


@pytest.mark.parametrize(
    ("kilobytes_per_game", "result"), [(0.0, "flat"), (2.0, "flat"), (40.0, "growing"), (400.0, "growing")]
)
def test_a_leak_is_told_from_noise(kilobytes_per_game: float, result: str) -> None:
    """A record that stays of each game is growth; what is less than a game needs is none."""
    per_second = kilobytes_per_game / 1000 * GAMES_PER_HOUR / 3600
    values = [value + per_second * time for value, time in zip(noise(0.3), HALF_AN_HOUR, strict=True)]
    found = memory(values)
    assert found.result == result
    assert found.slope.value == pytest.approx(per_second * 3600, abs=3.0)


def test_neither_the_warm_up_nor_an_outlier_is_growth() -> None:
    """Memory that a process fills in the first third, or holds for a moment, is not a slope."""
    values = [min(time / 10, 50.0) for time in HALF_AN_HOUR]
    values[200] = 500.0
    found = memory(values)
    assert (found.result, found.slope.value) == ("flat", 0.0)
