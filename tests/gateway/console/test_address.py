"""The option --admin."""

import pytest

from gateway.console.address import AdminAddress, read_address


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        (None, "127.0.0.1", 8001),
        ("", "127.0.0.1", 8001),
        ("0.0.0.0:9000", "0.0.0.0", 9000),
        (":9000", "0.0.0.0", 9000),
        ("box:65535", "box", 65535),
        ("[::1]:9000", "::1", 9000),
        ("localhost:0", "localhost", 0),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str | None, host: str, port: int) -> None:
    """Without text it is the loopback address and the port after the public one."""
    assert read_address(text, 8000) == AdminAddress(host, port, 8000)


@pytest.mark.parametrize("public", [0, 65535])
def test_without_a_next_port_any_is_taken(public: int) -> None:
    """Next to any free port, or the last one, is any free port."""
    assert read_address(None, public).port == 0


@pytest.mark.parametrize("text", ["9000", "host", "a b:1", "host:65536", "::1:80", "http://host:80"])
def test_another_form_is_refused(text: str) -> None:
    """The error shows a valid address."""
    with pytest.raises(ValueError, match=r"not an address like 127.0.0.1:8001"):
        read_address(text, 8000)


def test_the_public_port_is_refused() -> None:
    """Two servers can't share a port; port 0 is another free one for each."""
    with pytest.raises(ValueError, match="has the port of the snake"):
        read_address("127.0.0.1:8000", 8000)
    assert read_address("127.0.0.1:0", 0).port == 0


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("localhost", True),
        ("::1", True),
        ("0.0.0.0", False),
        ("box", False),
    ],
)
def test_loopback_addresses_are_known(host: str, own: bool) -> None:
    """Only programs of this machine reach a loopback address."""
    assert AdminAddress(host, 1, 2).is_loopback == own
