"""The command line: python -m gateway games."""

from pathlib import Path

from gateway.replay import official
from gateway.replay.assembly import whole
from tests.gateway.gateway_process import fails, output

DUEL = Path(__file__).parents[3] / "fixtures" / "games" / "duel.jsonl"


async def test_a_game_comes_and_goes(tmp_path: Path) -> None:
    """An imported game is listed and exported as it came, and is kept once."""
    database = ("--outcomes", str(tmp_path / "games.sqlite"))
    header, positions = official.read(DUEL.read_bytes())
    printed = await output("games", "import", str(DUEL), *database)
    assert printed == f"{DUEL}: game {header.id}, {header.turns} turns\n"
    assert "which was kept already" in await output("games", "import", str(DUEL), *database)
    listed = await output("games", "list", *database)
    assert header.id in listed and "imported" in listed and "two won" in listed
    exported = tmp_path / "out.jsonl"
    await output("games", "export", header.id, str(exported), *database)
    again, same = official.read(exported.read_bytes())
    assert (again.id, again.winner) == (header.id, header.winner)
    assert whole(again, same).turns == whole(header, positions).turns
    assert await output("games", "export", header.id, "-", *database) == exported.read_text()


async def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    """An unknown game, a missing database and another kind of file are errors without a traceback."""
    file = tmp_path / "games.sqlite"
    database = ("--outcomes", str(file))
    assert await fails("games", "list", *database) == (1, f"Error: there is no file {file}\n")
    assert not file.exists()
    await output("games", "import", str(DUEL), *database)
    status, error = await fails("games", "export", "x", "-", *database)
    assert status == 1 and "there is no game x" in error
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n{}\n{}\n")
    status, error = await fails("games", "import", str(other), *database)
    assert status == 1 and "line 2" in error and "Traceback" not in error
    status, error = await fails("games", "list")
    assert (status, error) == (1, "Error: no games are recorded: --outcomes is none\n")
