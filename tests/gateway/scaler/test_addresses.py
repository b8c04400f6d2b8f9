"""Addresses of gateways, and names that stand for several."""

import asyncio
import socket

import pytest

from gateway.scaler.gateways import Address, Names, read_address


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
