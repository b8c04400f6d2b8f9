"""The load of all gateways."""

import pytest

from gateway.scaler.gateways import Address, Gateways, Load, Reading

ONE, TWO = Address("10.0.0.1", 8001), Address("10.0.0.2", 8001)


@pytest.fixture
def gateways() -> Gateways:
    """Gateways with a window of 5 and a patience of 60 seconds."""
    return Gateways(window=5, patience=60)


def test_the_load_of_no_gateway_is_unknown(gateways: Gateways) -> None:
    """It is not zero."""
    assert gateways.load(0) is None


def test_a_first_reading_counts_games(gateways: Gateways) -> None:
    """It has no rate yet."""
    gateways.add(ONE, 0, Reading(100, 3))
    assert gateways.load(0) == Load(3, 3)


def test_searches_are_averaged_over_the_window(gateways: Gateways) -> None:
    """What is older does not count."""
    for at in range(11):
        gateways.add(ONE, at, Reading(max(0, at - 5) * 2.0, 4))
    assert gateways.load(10) == Load(2, 4)


def test_all_gateways_count(gateways: Gateways) -> None:
    """Their loads are added up."""
    for at, demand in ((0, 0.0), (2, 3.0)):
        gateways.add(ONE, at, Reading(demand, 2))
        gateways.add(TWO, at, Reading(2 * demand, 5))
    assert gateways.load(2) == Load(4.5, 7)


def test_a_gateway_that_starts_anew_counts_from_zero(gateways: Gateways) -> None:
    """Its counter falls, its load does not become negative."""
    gateways.add(ONE, 0, Reading(500, 3))
    gateways.add(ONE, 1, Reading(0, 0))
    assert gateways.load(1) == Load(0, 0)
    gateways.add(ONE, 2, Reading(1, 1))
    assert gateways.load(2) == Load(1, 1)


def test_a_silent_gateway_counts_as_before_for_a_while(gateways: Gateways) -> None:
    """Then it no longer does; the others always do."""
    for at, demand in ((0, 0.0), (2, 3.0)):
        gateways.add(ONE, at, Reading(demand, 2))
    assert gateways.load(62) == Load(1.5, 2)
    gateways.add(TWO, 62, Reading(0, 1))
    assert gateways.load(62) == Load(2.5, 3)
    assert gateways.load(63) == Load(1, 1)
    assert gateways.load(123) is None


def test_a_gateway_without_its_address_is_forgotten(gateways: Gateways) -> None:
    """Its games go on elsewhere, where they count."""
    gateways.add(ONE, 0, Reading(0, 2))
    gateways.add(TWO, 0, Reading(0, 3))
    gateways.keep([TWO])
    assert gateways.load(0) == Load(3, 3)


@pytest.mark.parametrize(
    ("load", "is_playing"), [(Load(0, 0), False), (Load(0, 1), True), (Load(0.1, 0), True)]
)
def test_a_game_or_a_move_is_play(load: Load, is_playing: bool) -> None:
    """A gateway may have given up a game whose moves still come."""
    assert load.is_playing == is_playing
