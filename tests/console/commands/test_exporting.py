"""Films and pictures by `python -m console games export`."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from console.commands.main import main
from console.replay import official
from tests.arena.match_files import duels, write
from tests.console.console_process import complaint, output
from tests.console.replay.game_server import platform_game, serving
from tests.console.web.script import DUEL, duel

NO_DATABASE = ("--outcomes", "none")


async def export(game: object, file: object, *options: str) -> None:
    """Export a game without a database."""
    assert await output("games", "export", str(game), str(file), *options, *NO_DATABASE) == ""


def warned(game: Path, file: Path, *options: str) -> str:
    """Export a game without a database, and return the warnings."""
    arguments = ("games", "export", str(game), str(file), *options, *NO_DATABASE)
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result.stderr


def frames_of(file: Path) -> int:
    """The number of frames of a film."""
    with Image.open(file) as film:
        return int(getattr(film, "n_frames", 1))


async def test_a_recorded_game_by_its_id(tmp_path: Path) -> None:
    """The option or the ending of the file chooses the form, and all other files get JSON lines as before."""
    database = ("--outcomes", str(tmp_path / "games.sqlite"))
    await output("games", "import", str(DUEL), *database)
    for name, options, beginning in (
        ("game.gif", (), b"GIF89a"),
        ("game.html", (), b"<!doctype html>"),
        ("film", ("--gif",), b"GIF89a"),
        ("page.gif", ("--html",), b"<!doctype html>"),
        ("game.jsonl", (), b'{"id":'),
        ("game", (), b'{"id":'),
    ):
        await output("games", "export", duel().id, str(tmp_path / name), *options, *database)
        assert (tmp_path / name).read_bytes().startswith(beginning)
    assert frames_of(tmp_path / "game.gif") == len(duel().turns)


async def test_a_file_of_the_engine(tmp_path: Path) -> None:
    """A file needs no database, and an option bounds its turns."""
    await export(DUEL, tmp_path / "all.gif", "--size", "100")
    await export(DUEL, tmp_path / "part.gif", "--turns", "2-5")
    assert (frames_of(tmp_path / "all.gif"), frames_of(tmp_path / "part.gif")) == (len(duel().turns), 4)
    await export(DUEL, tmp_path / "part.jsonl", "--turns", "2-5")
    _, positions = official.read((tmp_path / "part.jsonl").read_bytes())
    assert [position.turn for position in positions] == [2, 3, 4, 5]


async def test_pictures_of_turns(tmp_path: Path) -> None:
    """Without turns, a picture shows the last one. Of several turns, each picture has a file of its own."""
    await export(DUEL, tmp_path / "last.svg")
    assert f">Turn {duel().turns[-1].turn}<" in (tmp_path / "last.svg").read_text()
    await export(DUEL, tmp_path / "turn.png", "--turns", "3-5", "--size", "80")
    assert sorted(path.name for path in tmp_path.glob("*.png")) == ["turn-3.png", "turn-4.png", "turn-5.png"]
    status, error = await complaint(
        "games", "export", str(DUEL), "-", "--svg", "--turns", "3-5", *NO_DATABASE
    )
    assert status == 1 and "3 pictures need a FILE" in error


async def test_a_game_of_a_match(tmp_path: Path) -> None:
    """The arena's number names the game."""
    match = duels(2)
    file = write(tmp_path / "match.jsonl", match.setup, match.blocks)
    await export(file, tmp_path / "game.gif", "--number", f"{match.blocks[1].number}.2", "--size", "64")
    assert frames_of(tmp_path / "game.gif") == len(match.blocks[1].games[1].turns) + 1
    status, error = await complaint("games", "export", str(file), "-", "--html", *NO_DATABASE)
    assert status == 1 and f"{file}: --number must be the number of one of 4 games" in error
    status, error = await complaint("games", "export", str(DUEL), "-", "--number", "0.1", *NO_DATABASE)
    assert status == 1 and "is not the file of a match, so --number has no meaning" in error


async def test_a_game_at_an_address(tmp_path: Path) -> None:
    """A game of a server needs neither a database nor an import, and keeps the snakes' own looks."""
    game = platform_game()
    async with serving(game) as server:
        await export(f"{server.url}/games/{game['Game']['ID']}", tmp_path / "turn.svg", "--turns", "3")
    drawing = (tmp_path / "turn.svg").read_text()
    for snake in game["Frames"][3]["Snakes"]:
        assert snake["Name"] in drawing


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--gif", "--size", "9"), "'--size': 9 is not in the range 64<=x<=2000"),
        (("--gif", "--speed", "0"), "'--speed': 0 is not in the range 1<=x<=50"),
        (("--gif", "--turns", "x"), "'--turns': 'x' is neither a turn like 57 nor turns like 40-120"),
        (("--gif", "--turns", "7" * 5000), "is neither a turn like 57 nor turns like 40-120"),
        (
            ("--gif", "--turns", "20-10"),
            "'--turns': '20-10' begins after its end: FIRST must be at most LAST",
        ),
        (("--gif", "--turns", "700"), "'--turns': the game has no turn from 700 to 700; its turns: 0 to 11"),
        (("--turns", "700"), "'--turns': the game has no turn from 700 to 700; its turns: 0 to 11"),
        (("--gif", "--png"), "--gif and --png exclude each other: a FILE has one form"),
    ],
)
async def test_a_wrong_wish_is_named(tmp_path: Path, options: tuple[str, ...], reason: str) -> None:
    """The error names the option and the valid values, and no file is written."""
    status, error = await complaint("games", "export", str(DUEL), str(tmp_path / "x"), *options, *NO_DATABASE)
    assert status != 0 and reason in " ".join(error.split())
    assert not (tmp_path / "x").exists()


def test_a_cut_file_is_a_warning(tmp_path: Path) -> None:
    """The turns that are there are exported, and the standard error tells what the file lacks."""
    lines, cut, file = DUEL.read_bytes().splitlines(keepends=True), tmp_path / "cut.jsonl", tmp_path / "game"
    for kept, told in (
        ([*lines[:8], lines[8][:300]], "it has 7 turns, 0 to 6, and lacks the end"),
        ([lines[0], *lines[4:6], *lines[8:-1]], "lacks the turns before, 2 turns between, the end"),
        ([*lines[:5], *lines[6:]], "it has 11 turns, 0 to 11, and lacks 1 turn between"),
    ):
        cut.write_bytes(b"".join(kept))
        warning = warned(cut, file)
        assert warning.startswith(f"Warning: {cut} is not a whole game: ") and told in warning
        assert official.read(file.read_bytes())[1] == official.read(cut.read_bytes())[1]
    assert warned(DUEL, file) == ""
