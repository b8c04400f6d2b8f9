"""The addresses of games on servers."""

from http import HTTPStatus

import pytest

from gateway.replay.address import RemoteGameError, read_address, require_allowed


@pytest.mark.parametrize(
    "address",
    [
        "https://a.example/games/x-1",
        "https://a.example/game/x-1",
        "https://a.example/game/x-1/",
        "https://a.example/api/games/x-1",
        "https://a.example/api/games/x-1/frames?offset=0&limit=100",
        "https://a.example/games/x-1#turn=7",
        "https://ann:secret@a.example/games/x-1?turn=7",
        "https://board.example/?game=x-1&engine=https://a.example",
        "https://board.example/?engine=https%3A%2F%2Fa.example%2F&game=x-1&autoplay=true",
        " a.example/games/x-1\n",
    ],
)
def test_a_game_is_found_in_what_people_copy(address: str) -> None:
    """Pages, paths of the API and boards lead to the same game of the same server."""
    found = read_address(address)
    assert (str(found.server).rstrip("/"), found.game, found.host) == (
        "https://a.example",
        "x-1",
        "a.example",
    )


def test_a_server_may_lie_below_a_path() -> None:
    """The paths of the REST form are appended to it."""
    assert str(read_address("https://a.example/engine/games/x").server) == "https://a.example/engine"
    assert (
        str(read_address("https://b.example/?game=x&engine=https://a.example/e").server)
        == "https://a.example/e"
    )


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("", "is not an address"),
        ("https://a.example", "is not the address of a game"),
        ("https://a.example/snakes/x", "is not the address of a game"),
        ("https://a.example/games/..", "is not the address of a game"),
        ("https://a.example/games/a%2Fb", "is not the address of a game"),
        ("https://a.example/games/a b", "names no game"),
        (f"https://a.example/games/{'x' * 129}", "names no game"),
        ("https://b.example/?engine=https://a.example", "names no game"),
        ("https://b.example/?game=x&engine=file:///etc", "is not an address"),
        ("http://a.example/games/x", "is not encrypted"),
        ("http://2130706433/games/x", "is not encrypted"),
        ("https://b.example/?game=x&engine=http://a.example", "is not encrypted"),
        ("file:///games/x", "is not an address"),
        ("https://a.example:99999/games/x", "is not an address"),
        ("https://[::1/games/x", "is not an address"),
    ],
)
def test_other_addresses_are_refused(address: str, reason: str) -> None:
    """The reason says why."""
    with pytest.raises(RemoteGameError, match=reason) as error:
        read_address(address)
    assert error.value.status == HTTPStatus.BAD_REQUEST


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_this_machine_may_speak_plain_http(host: str) -> None:
    """By each of its names, at any port."""
    assert read_address(f"http://{host}:8080/games/x").host == f"{host}:8080"


@pytest.mark.parametrize(
    ("address", "servers"),
    [
        ("https://a.example/games/x", ["b.example", "A.example"]),
        ("https://A.EXAMPLE:443/games/x", ["a.example"]),
        ("https://a.example/games/x", ["a.example:443"]),
        ("https://a.example:8443/games/x", ["a.example:8443"]),
        ("http://localhost:8080/games/x", ["localhost:8080"]),
        ("http://[::1]:8080/games/x", ["[::1]:8080"]),
    ],
)
def test_a_server_that_is_listed_may_be_read(address: str, servers: list[str]) -> None:
    """A host without a port stands for the default port."""
    require_allowed(read_address(address), servers)


@pytest.mark.parametrize(
    ("address", "servers"),
    [
        ("https://a.example/games/x", []),
        ("https://b.a.example/games/x", ["a.example"]),
        ("https://a.example.b/games/x", ["a.example"]),
        ("https://a.example:8443/games/x", ["a.example"]),
        ("https://a.example/games/x", ["a.example:8443"]),
        ("https://a.example@b.example/games/x", ["a.example"]),
        ("https://a.example/?game=x&engine=https://b.example", ["a.example"]),
        ("http://127.0.0.1:8080/games/x", ["localhost:8080", "127.0.0.1"]),
    ],
)
def test_other_servers_may_not_be_read(address: str, servers: list[str]) -> None:
    """Hosts and ports are compared exactly."""
    with pytest.raises(RemoteGameError, match="does not read games from") as error:
        require_allowed(read_address(address), servers)
    assert error.value.status == HTTPStatus.FORBIDDEN
