"""The option --admin."""

import pytest

from battlesnake_search.ports.admin_address import AdminAddress, read_address


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("0.0.0.0:9000", "0.0.0.0", 9000),
        (":9000", "0.0.0.0", 9000),
        ("box:65535", "box", 65535),
        ("[::1]:9000", "::1", 9000),
        ("localhost:0", "localhost", 0),
    ],
)
def test_an_address_is_a_host_and_a_port(text: str, host: str, port: int) -> None:
    """The host may be missing or an IPv6 address, and port 0 is any free one."""
    assert read_address(text, 8000) == AdminAddress(host, port)


@pytest.mark.parametrize("text", ["9000", "host", "a b:1", "host:65536", "::1:80", "http://host:80"])
def test_another_form_is_refused(text: str) -> None:
    """The error shows a valid address."""
    with pytest.raises(ValueError, match=r"not an address like 127.0.0.1:8001"):
        read_address(text, 8000)


def test_the_public_port_is_refused() -> None:
    """Two servers can't share a port; port 0 is another free one for each."""
    with pytest.raises(ValueError, match="has the port of the snake"):
        read_address("127.0.0.1:8000", 8000)
    assert read_address("127.0.0.1:0").port == 0
