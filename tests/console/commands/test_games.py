"""The command line: python -m console games."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from battlesnake_search.common.logs import short_id
from console.commands.main import main
from console.replay import official
from console.store.assembly import whole
from console.store.database import read_database
from console.store.recorder import header_of, own
from console.store.records import IMPORTED, Fallen, Header, game_row
from console.store.store import Store
from tests.console.console_process import complaint, output
from tests.console.store.game_samples import ARM, turn_at
from tests.console.web.script import DUEL


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
    for id_ in (header.id, short_id(header.id)):
        assert await output("games", "export", id_, "-", *database) == exported.read_text()


async def test_a_fault_is_named(tmp_path: Path) -> None:
    """An unknown game, a missing database and another kind of file are errors without a traceback."""
    file = tmp_path / "games.sqlite"
    database = ("--outcomes", str(file))
    assert await complaint("games", "list", *database) == (1, f"Error: there is no file {file}\n")
    assert not file.exists()
    await output("games", "import", str(DUEL), *database)
    status, error = await complaint("games", "export", "x", "-", *database)
    assert status == 1 and "there is neither a file nor a recorded game x: " in error
    other = tmp_path / "other.jsonl"
    other.write_text("{}\n{}\n{}\n")
    status, error = await complaint("games", "import", str(other), *database)
    assert status == 1 and "line 2" in error and "Traceback" not in error
    status, error = await complaint("games", "list")
    assert (status, error) == (1, "Error: no games are recorded: --outcomes is none\n")


TABLE = """
game      began        turns  result  snakes
solo      03-20 05:06      3  ended   a
open      03-19 05:06      3  no end  b, a (ours)
draw      03-18 05:06     12  draw    a, b
won       03-17 05:06    120  b won   a, b
imported  imported         3  won     a, b (ours)
"""


def _header(game: str, source: str = "", turns: int = 3, ours: int | None = None, snakes: int = 2) -> Header:
    """Return a game of the snakes "a" and "b". Both die at its end, and the second snake has no name."""
    header = header_of(turn_at(0, game), source or "recorded")
    header.snakes = [
        msgspec.structs.replace(snake, id=id_, name=name, ours=False)
        for snake, id_, name in zip(header.snakes, "xb", ("a", ""), strict=False)
    ][:snakes]
    if ours is not None:
        header.snakes[ours] = own(header.snakes[ours], ARM)
    header.turns, header.ended_at, header.winner = turns, datetime.now(UTC), None
    return header


def _headers() -> list[Header]:
    """Return games, the newest one first."""
    headers = [
        _header("solo", snakes=1),
        _header("open", ours=0),
        _header("draw", turns=12),
        _header("won", turns=120),
        _header("imported", IMPORTED, ours=1),
    ]
    headers[1].ended_at = None
    headers[3].winner = headers[4].winner = "b"
    for number, header in enumerate(headers):
        header.seen_at = datetime(2026, 3, 20 - number, 5, 6, 7, tzinfo=UTC)
    return headers


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A database with the games."""
    return _stored(tmp_path, *_headers())


def _stored(folder: Path, *headers: Header) -> str:
    """Return a database with these games."""

    async def store(url: str) -> None:
        async with Store(url) as store:
            await store.prepare()
            await store.add([game_row(header) for header in headers])

    file = str(folder / "games.sqlite")
    asyncio.run(store(read_database(file).url))
    return file


def _printed(*options: str) -> list[str]:
    result = CliRunner().invoke(main, ["games", "list", *options])
    assert result.exit_code == 0, result.output
    lines = [line.rstrip() for line in result.output.splitlines() if line.strip()]
    assert set(lines.pop(1)) == {"─"}
    return lines


def test_games_are_a_table(file: str) -> None:
    """Each game has its begin or its source, its turns, its result and its snakes."""
    assert _printed("--outcomes", file) == [line for line in TABLE.splitlines() if line]


def test_a_death_by_a_late_answer_is_told(tmp_path: Path) -> None:
    """It counts only for our snakes, and not for the game that we won."""
    lost, won, theirs = (_header(name, ours=0) for name in ("first", "second", "third"))
    for header, winner, dead in ((lost, "b", "x"), (won, "x", "b"), (theirs, "b", "b")):
        header.winner, header.deaths = winner, [Fallen(dead, "hazard", late=True)]
    lines = _printed("--outcomes", _stored(tmp_path, lost, won, theirs))
    assert {line.split()[0]: " ".join(line.split()[4:-3]) for line in lines[1:]} == {
        "first": "lost (late)",
        "second": "won",
        "third": "lost",
    }


NAMES = {
    "long": "a long name " * 20,
    "emoji": "\N{SNAKE}\N{EMOJI MODIFIER FITZPATRICK TYPE-4}" * 100,
    "bidi": "\u202eevil\u2066 \u05e9\u05dc\u05d5\u05dd " * 9,
    "lines": "one\ntwo\x1b[31m",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_list_fits_eighty_columns(tmp_path: Path, name: str) -> None:
    """No name breaks a line, turns the text around it or reaches the terminal as an order."""
    header = _header("0fbc2e53-2b33-4bd3-9b52-8ba5a19b6b6c", turns=1234)
    header.snakes = [msgspec.structs.replace(snake, name=name) for snake in header.snakes]
    header.winner = header.snakes[0].id
    lines = _printed("--outcomes", _stored(tmp_path, header))
    assert len(lines) == 2 and all(cell_len(line) <= 80 for line in lines)
    assert lines[1].startswith(f"{header.id}  ") and "1234" in lines[1]
    assert not {"\u202e", "\x1b"} & set(lines[1])
    # The last name may be cut, and the end of the line ends it.
    assert lines[1].count("\u2068") - lines[1].count("\u2069") in (0, 1)


def test_programs_read_json(file: str) -> None:
    """The games are as the console lists them, with whole names."""
    result = CliRunner().invoke(main, ["games", "--json", "--outcomes", file])
    listed = msgspec.json.decode(result.output)["games"]
    assert result.exit_code == 0 and [game["id"] for game in listed] == [
        "solo",
        "open",
        "draw",
        "won",
        "imported",
    ]
    assert listed[3]["result"] == {"winner": 1, "turns": 120} and listed[1]["result"] is None


def test_the_games_are_listed_without_a_command(file: str) -> None:
    """`list` may be left out, also before its options. Help is that of the group."""
    listed, options = CliRunner().invoke(main, ["games", "list", "--outcomes", file]), ["--outcomes", file]
    assert CliRunner().invoke(main, ["games", *options]).output == listed.output
    assert CliRunner().invoke(main, ["games"], env={"OUTCOMES_URL": file}).output == listed.output
    assert "import" in CliRunner().invoke(main, ["games", "--help"]).output
    assert CliRunner().invoke(main, ["games", "lst"]).exit_code == 2


def _invoke(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["games", *arguments])
    return result.exit_code, result.output


def test_a_bad_file_leaves_the_others(tmp_path: Path) -> None:
    """Each bad file is named with the reason, good files after it are recorded, and the status is 1."""
    database, whole_file = str(tmp_path / "games.sqlite"), DUEL.read_bytes()
    contents = {
        "empty": b"",
        "html": b"<!doctype html>\n",
        "broken": whole_file.replace(b'"board"', b'"bored"', 1),
        "deep": b"[" * 100_000,
        "latin": b'{"a": "\xe9"}\n',
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    bad = [*(str(tmp_path / name) for name in contents), str(tmp_path / "missing"), str(tmp_path)]
    status, printed = _invoke("import", *bad, str(DUEL), "--outcomes", database)
    *errors, recorded = printed.splitlines()
    assert status == 1 and recorded.startswith(f"{DUEL}: game ")
    for file, error in zip(bad, errors, strict=True):
        assert error.startswith(f"Error: {file}: ") and error.count(file) == 1
    reasons = ("empty", "line 1", "line 2: board", "line 1", "line 1", "No such file", "Is a directory")
    assert all(reason in error for reason, error in zip(reasons, errors, strict=True))
    assert "two won" in _invoke("list", "--outcomes", database)[1]


def test_a_file_that_was_cut_off_is_marked(tmp_path: Path) -> None:
    """It is recorded up to its last whole line, without an end; the whole file adds the rest."""
    database, file = str(tmp_path / "games.sqlite"), tmp_path / "cut.jsonl"
    lines = DUEL.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:4]) + lines[4][:200])
    status, printed = _invoke("import", str(file), "--outcomes", database)
    assert status == 0 and printed.endswith(", 2 turns, without an end\n")
    assert "no end" in _invoke("list", "--outcomes", database)[1]
    status, printed = _invoke("import", str(DUEL), "--outcomes", database)
    assert status == 0 and f"{len(lines) - 5} of its turns are new" in printed
    assert "two won" in _invoke("list", "--outcomes", database)[1]
