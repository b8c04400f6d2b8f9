"""The comparison of connections with plaintext."""

from random import Random

import pytest

from benchmarks.tls.__main__ import COLUMNS, WARM_UP, Ask, Comparison, _compare


def around(median: float) -> list[float]:
    """Return times with the long tail that those of a machine have."""
    rng = Random(1)
    return [median + rng.expovariate(5.0) - rng.expovariate(20.0) for _ in range(500)]


@pytest.mark.parametrize(("tls", "is_well"), [(1.0, True), (1.2, True), (1.4, False)])
def test_the_limit_is_on_the_medians_difference(tls: float, is_well: bool) -> None:
    """Three tenths of a millisecond above plaintext are allowed, however long both take."""
    compared = Comparison({"plaintext": around(1.0), "TLS": around(tls)})
    above = compared.above("TLS")
    assert compared.is_well == is_well
    assert above.low <= above.value <= above.high
    assert above.value == pytest.approx(tls - 1.0, abs=0.001)


def test_each_kind_has_a_row() -> None:
    """That of plaintext is compared with nothing."""
    plaintext, tls = Comparison({"plaintext": [1.0, 2.0, 3.0], "TLS": [2.0, 3.0, 4.0]}).rows()
    assert plaintext == ["plaintext", "2.00", "2.98"]
    assert tls[:4] == ["TLS", "3.00", "3.98", "+1.000"]
    assert len(tls) == len(COLUMNS)


async def test_kinds_are_asked_in_turn() -> None:
    """Each comes first as often as another, and the first moves don't count."""
    asked: list[str] = []

    def asking(name: str) -> Ask:
        async def ask(number: int) -> float:
            asked.append(name)
            return float(number)

        return ask

    compared = await _compare({name: asking(name) for name in "abc"}, moves=4)
    assert all(times == [WARM_UP + number for number in range(4)] for times in compared.times.values())
    assert len(asked) == 3 * (WARM_UP + 4)
    assert "".join(asked[:9]) == "bcacababc"
