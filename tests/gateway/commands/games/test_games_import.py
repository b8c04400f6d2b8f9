"""Games of servers on the command line."""

from pathlib import Path

from tests.gateway.gateway_process import fails, output
from tests.gateway.replay.game_server import first_turns, platform_game, serving, walk


async def test_a_running_game_is_kept_and_grows(tmp_path: Path) -> None:
    """It is listed as going on; reading it again adds its turns and its result."""
    database = ("--outcomes", str(tmp_path / "games.sqlite"))
    sent = platform_game()
    game = sent["Game"]["ID"]
    async with serving(first_turns(sent, 20), walk(150)) as server:
        address = f"{server.url}/games/{game}"
        printed = await output("games", "import", address, f"{server.url}/api/games/walk", *database)
        assert printed.splitlines() == [
            f"{address}: game {game}, 19 turns so far",
            f"{server.url}/api/games/walk: game walk, 149 turns",
        ]
        listed = await output("games", "list", *database)
        assert "goes on" in listed and "running" in listed
        server.games[game] = sent
        printed = await output("games", "import", address, *database)
    assert printed == f"{address}: game {game}, 84 turns, which was kept already; 56 of its turns are new\n"
    listed = await output("games", "list", *database)
    assert "third won" in listed and "goes on" not in listed
    exported = await output("games", "export", game, "-", *database)
    assert len(exported.splitlines()) == 78


async def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    """Each error is a line without a traceback."""
    file = tmp_path / "games.sqlite"
    async with serving() as server:
        for name, reason in (
            ("unknown", "has no game unknown"),
            ("html", "does not send games as Battlesnake engines do"),
            ("error", "answers 500"),
            ("endless", "has more than 64 MB"),
        ):
            status, error = await fails(
                "games", "import", f"{server.url}/games/{name}", "--outcomes", str(file)
            )
            assert status == 1 and error.startswith("Error: ") and reason in error
            assert len(error.splitlines()) == 1
    status, error = await fails("games", "import", "http://a.example/games/x", "--outcomes", str(file))
    assert status == 1 and "use https://" in error
    status, error = await fails("games", "import", str(tmp_path / "gone"), "--outcomes", str(file))
    assert status == 2 and "does not exist" in error
    assert not file.exists()
