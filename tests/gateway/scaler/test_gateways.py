"""The gateways that a scaler reads: addresses, metrics and load."""

import asyncio
import socket

import pytest

from gateway.scaler.gateways import (
    DEMAND,
    GAMES,
    Address,
    Gateways,
    Load,
    Names,
    Reading,
    parse,
    read_address,
)
from tests.gateway.scaler.gateways import TEXT


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("gateway-admin:8001", Address("gateway-admin", 8001)),
        ("10.0.0.1:1", Address("10.0.0.1", 1)),
        ("[::1]:8001", Address("::1", 8001)),
    ],
)
def test_an_address_is_read(text: str, address: Address) -> None:
    """It is written as it was read."""
    assert read_address(text) == address
    assert str(address) == text


@pytest.mark.parametrize(
    "text", ["", "gateway", "gateway:", ":8001", "a:0", "a:65536", "::1:8001", "http://a:1"]
)
def test_another_text_is_an_error(text: str) -> None:
    """It names the valid forms."""
    with pytest.raises(ValueError, match=r"is not an address; valid: host:port, \[::1\]:port"):
        read_address(text)


async def test_a_name_has_the_addresses_of_all_pods(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one kind: with both in use, a pod has one of each. A name server that fails changes nothing."""
    answers: list[list[str] | OSError] = [
        ["10.0.0.1", "10.0.0.2", "fd00::1", "fd00::2"],
        socket.gaierror(socket.EAI_AGAIN, "try again"),
        ["fd00::3"],
    ]

    async def getaddrinfo(host: str, port: int, **_: object) -> list[tuple[object, ...]]:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        families = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(families[":" in each], socket.SOCK_STREAM, 6, "", (each, port)) for each in answer]

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)
    names = Names([Address("gateway-admin", 8001)])
    pods = {Address("10.0.0.1", 8001), Address("10.0.0.2", 8001)}
    assert (await names.addresses(), names.faults) == (pods, [])
    assert (await names.addresses(), names.faults) == (pods, ["gateway-admin: try again"])
    assert (await names.addresses(), names.faults) == ({Address("fd00::3", 8001)}, [])


async def test_a_number_is_its_own_address() -> None:
    """As is each of several names."""
    both = [Address("127.0.0.1", 1), Address("127.0.0.1", 2)]
    assert await Names(both).addresses() == set(both)


def test_demand_and_games_are_read() -> None:
    """Among all other metrics."""
    assert parse(TEXT % (12.5, 3)) == Reading(12.5, 3.0)


def test_labels_are_added_up() -> None:
    """A gateway with several snakes may count each of them."""
    text = f'{DEMAND}{{snake="/a"}} 1.5\n{DEMAND}{{snake="/b"}} 2.5\n{GAMES} 1\n'
    assert parse(text) == Reading(4.0, 1.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"has no {DEMAND} and no {GAMES}"),
        (f"{DEMAND} 1.0\n", f"has no {GAMES}"),
        (f"{DEMAND}_created 1.0\n{GAMES} 1\n", f"has no {DEMAND}"),
        (f"{DEMAND} much\n{GAMES} 1\n", "could not convert string to float"),
    ],
)
def test_other_text_is_an_error(text: str, reason: str) -> None:
    """The error names the missing metric. A missing metric is not zero."""
    with pytest.raises(ValueError, match=reason):
        parse(text)


ONE, TWO = Address("10.0.0.1", 8001), Address("10.0.0.2", 8001)


@pytest.fixture
def gateways() -> Gateways:
    """Gateways with a patience of 60 seconds."""
    return Gateways(patience=60)


def test_the_load_of_no_gateway_is_unknown(gateways: Gateways) -> None:
    """It is not zero."""
    assert gateways.load(0) is None


def test_a_first_reading_counts_games(gateways: Gateways) -> None:
    """It has no rate yet."""
    gateways.add(ONE, 0, Reading(100, 3))
    assert gateways.load(0) == Load(3, 3)


def test_searches_are_averaged_over_the_window(gateways: Gateways) -> None:
    """Older readings do not count."""
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
    """Its games count at the other gateways."""
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
