"""Addresses to listen on."""

import socket

import pytest

from battlesnake_search.serving.address import ListenError, check_address, default_address, split_address


@pytest.mark.parametrize("address", ["127.0.0.1:65536", "127.0.0.1", "::1:50051", ":50051", "host:port", ""])
def test_any_other_form_is_refused(address: str) -> None:
    """The error has the valid forms."""
    with pytest.raises(ListenError, match="valid: host:port"):
        split_address(address)


def test_the_port_of_a_platform_is_open_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PORT only this machine reaches a program."""
    monkeypatch.delenv("PORT", raising=False)
    assert default_address(50051) == "127.0.0.1:50051"
    monkeypatch.setenv("PORT", "8080")
    assert default_address(50051) == "0.0.0.0:8080"


def test_connections_of_an_earlier_server_keep_no_port() -> None:
    """A restarted searcher listens at once, though the system still waits for packets of the former one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        host, port = listening.getsockname()
        with socket.create_connection((host, port)) as caller:
            answered, _ = listening.accept()
            answered.close()
            assert caller.recv(1) == b""
    check_address(f"{host}:{port}")
