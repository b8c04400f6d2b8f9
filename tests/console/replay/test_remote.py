"""Games read from a server on the loopback address."""

import asyncio

import pytest

from console.replay import remote
from console.replay.servers import RemoteGameError, read_address
from console.store.assembly import whole
from console.store.records import IMPORTED, RUNNING
from console.store.values import Death, Game, Result
from tests.console.replay.game_server import Json, first_turns, in_small_letters, platform_game, serving, walk


async def _read(url: str, game: str, **seconds: float) -> Game:
    return whole(*await remote.fetch(read_address(f"{url}/games/{game}"), **seconds))


async def _game(game: Json, root: str = "/api/games") -> Game:
    async with serving(game, root=root) as server:
        return await _read(server.url, next(iter(server.games)))


async def test_a_game_of_the_platform_is_read() -> None:
    """It has its facts, its snakes with their looks, its turns and its winner; turns may be missing."""
    sent = platform_game()
    game = await _game(sent)
    assert (game.id, game.source, game.over) == (sent["Game"]["ID"], IMPORTED, True)
    assert (game.width, game.height, game.ruleset, game.timeout_ms) == (11, 11, "standard", 500)
    assert [snake.name for snake in game.snakes] == ["ours", "second", "third", "fourth"]
    assert (game.snakes[1].color, game.snakes[1].head, game.snakes[1].tail) == (
        "#ff7043",
        "sand-worm",
        "pixel",
    )
    assert [turn.turn for turn in game.turns] == [*range(75), 84]
    assert game.result == Result(2, 84)
    assert game.turns[0].food[0] == (4, 10)


async def test_deaths_are_those_that_the_server_reports() -> None:
    """The dead leave the board with their causes, even across turns that are missing."""
    game = await _game(platform_game())
    assert {turn.turn: turn.deaths for turn in game.turns if turn.deaths} == {
        70: [Death(1, "head-collision", 3)],
        84: [Death(0, "snake-collision", 2), Death(3, "head-collision", 2)],
    }
    assert [placed is not None for placed in game.turns[72].snakes] == [True, False, True, True]


@pytest.mark.parametrize("root", ["/api/games", "/games", "/engine/games"])
async def test_both_spellings_and_all_roots_are_the_same(root: str) -> None:
    """Names may begin with capitals or not, and the former engine has no /api."""
    game = platform_game()
    async with serving(in_small_letters(game), root=root) as server:
        prefix = root.removesuffix("/games").removesuffix("/api")
        found = await _read(server.url + prefix, game["Game"]["ID"])
    assert found == await _game(game)


@pytest.mark.parametrize("turns", [1, 100, 101])
async def test_all_pages_are_read(turns: int) -> None:
    """The first page that is short is the last one."""
    async with serving(walk(turns)) as server:
        game = await _read(server.url, "walk")
    assert [turn.turn for turn in game.turns] == list(range(turns))
    assert len(server.asked) == 2 + turns // 100


async def test_a_running_game_is_read_as_far_as_it_got() -> None:
    """Its source marks it as running, and it has no result."""
    game = await _game(first_turns(platform_game(), 20))
    assert (game.source, game.result, len(game.turns)) == (RUNNING, None, 20)


@pytest.mark.parametrize(
    ("name", "status", "reason"),
    [
        ("unknown", 404, "has no game unknown"),
        ("error", 502, "answers 500 to /api/games/error"),
        ("html", 502, "does not send games as Battlesnake engines do"),
        ("endless", 502, "has more than 64 MB"),
        ("elsewhere", 502, "answers 302"),
        ("pending", 404, "has no turn of game pending yet"),
    ],
)
async def test_a_fault_is_named(name: str, status: int, reason: str) -> None:
    """Each error has words for people and a status for the console's clients."""
    async with serving(walk(0, ID="pending", Status="pending")) as server:
        with pytest.raises(RemoteGameError, match=reason) as error:
            await _read(server.url, name)
    assert error.value.status == status


@pytest.mark.parametrize("seconds", [{"request_seconds": 0.2}, {"all_seconds": 0.2}])
async def test_a_slow_server_is_given_up(seconds: dict[str, float]) -> None:
    """After the time for a request, and after the time for all of them."""
    async with serving() as server:
        with pytest.raises(RemoteGameError, match=r"within 0\.2 s") as error:
            await _read(server.url, "slow", **seconds)
    assert error.value.status == 504


async def test_a_proxy_of_the_environment_is_used_for_other_machines(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy resolves their names. The variable no_proxy names machines without a proxy."""
    asked = []

    async def proxy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.close()

    server = await asyncio.start_server(proxy, "127.0.0.1", 0)
    async with server:
        monkeypatch.setenv("https_proxy", f"127.0.0.1:{server.sockets[0].getsockname()[1]}")
        for expected in ({b"CONNECT games.invalid:443 HTTP/1.1\r\n"}, set()):
            with pytest.raises(RemoteGameError, match="can't be read"):
                await _read("https://games.invalid", "walk")
            assert set(asked) == expected
            asked.clear()
            monkeypatch.setenv("no_proxy", "games.invalid")


async def test_a_server_of_this_machine_needs_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy could not reach the loopback address."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    assert len((await _game(walk(5))).turns) == 5
