"""Foreign texts on a terminal: names and ids that would control it, and characters that it lacks."""

import asyncio
import os
import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import msgspec
import pytest
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.console import Console
from battlesnake_search.common.logs import TextRenderer
from battlesnake_search.common.terminal import escaped
from console.replay import official
from console.store.database import read_database
from console.store.records import Header, Item, Position, game_row, record_row
from console.store.store import Store
from tests.console.web.script import DUEL
from tests.support.terminal import COLORS, on_terminal

ROOT = Path(__file__).parents[3]
PROGRAMS = ("arena", "battlesnake_search", "console", "gateway", "searcher")

ATTACKS = {
    "title": ("a\x1b]0;owned\x07b", r"a\x1b]0;owned\x07b"),
    "c1": ("a\x9b31mb", r"a\x9b31mb"),
    "delete": ("a\x7f\x08\rb", r"a\x7f\x08\rb"),
    "override": ("a\u202eb\u200fc", r"a\u202eb\u200fc"),
    "isolate": ("a\u2067b", r"a\u2067b"),
    "closing": ("a\u2069b\u2068c", "a\\u2069b\u2068c\u2069"),
    "line": ("a\u2028b", r"a\u2028b"),
}
ATTACK = "x\x1b]0;owned\x07\x9b2J\x7f\u202e\u2066y"
CONTROLS = set(ATTACK) - {"x", "y", "]", "0", ";", "2", "J", *"owned"}


@pytest.mark.parametrize(("text", "shown"), ATTACKS.values(), ids=ATTACKS)
def test_control_characters_are_escapes(text: str, shown: str) -> None:
    """The text stays readable, and shows what was in it."""
    assert escaped(text) == shown == escaped(shown)


@pytest.mark.parametrize("text", ["a\tb\nc", "Grüße \u200d\N{SNAKE}", "\u2068\u05d0\u2069, b"])
def test_other_texts_stay(text: str) -> None:
    """Lines, letters of all languages, joined emoji, and a closed isolate are as they were."""
    assert escaped(text) == text


def test_a_console_keeps_its_own_colours() -> None:
    """A foreign text in a table has no control characters, and the styles of the table have theirs."""
    output = StringIO()
    table = Table("name")
    table.add_row(Text(ATTACK, "bold red"))
    Console(file=output, force_terminal=True, color_system="standard", width=80).print(table)
    printed = output.getvalue()
    assert r"x\x1b]0;" in printed and "\x1b[1;31m" in printed
    assert not CONTROLS & set(COLORS.sub("", printed))


def test_the_traceback_of_a_log_is_escaped() -> None:
    """An exception may quote the body of a request."""
    event = {"event": "fault", "level": "error", "timestamp": "12:00", "exception": f"ValueError: {ATTACK}"}
    assert not CONTROLS & set(TextRenderer({}, colored=False)(event))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database with a game whose id, names, map and ruleset are attacks, and with a letter of Greek."""
    header, positions = official.read(DUEL.read_bytes())
    file = str(tmp_path_factory.mktemp("hostile") / "games.sqlite")
    asyncio.run(_store(file, _attacking(header), positions))
    return file


def _attacking(header: Header) -> Header:
    snakes = [msgspec.structs.replace(each, name=f"λ{ATTACK}") for each in header.snakes]
    return msgspec.structs.replace(
        header, id=f"id{ATTACK}", snakes=snakes, map=ATTACK, ruleset=ATTACK, ended_at=header.seen_at
    )


async def _store(file: str, header: Header, positions: list[Position]) -> None:
    async with Store(read_database(file).url) as store:
        await store.prepare()
        rows: list[Item] = [game_row(header), *(record_row(header.id, position) for position in positions)]
        await store.add(rows)


COMMANDS = {
    "list": ("games", "list"),
    "error": ("games", "export", f"no{ATTACK}owned", "-"),
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_command_passes_control_characters(hostile: str, arguments: tuple[str, ...]) -> None:
    """Neither on standard output nor in errors. A terminal's title stays, and no text changes direction."""
    command = (sys.executable, "-m", "console", *arguments, "--outcomes", hostile)
    with on_terminal(*command[1:]) as lines:
        printed = [COLORS.sub("", line) for line in lines]
    assert any("owned" in line for line in printed)
    assert not CONTROLS & set("".join(printed))


def test_a_document_is_unchanged_for_a_program(hostile: str) -> None:
    """JSON in a pipe has all characters, in UTF-8 for every locale."""
    done = _run("games", "list", "--json", hostile, PYTHONIOENCODING="ascii")
    [game] = msgspec.json.decode(done.stdout)["games"]
    assert game["id"] == f"id{ATTACK}" and game["snakes"][0]["name"] == f"λ{ATTACK}"


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    *command, file = arguments
    return subprocess.run(
        [sys.executable, "-m", "console", *command, "--outcomes", file],
        env=os.environ | environment,
        capture_output=True,
    )


def test_a_letter_that_the_terminal_lacks_is_an_escape(hostile: str) -> None:
    """A list of games has no other fault than the escape of the letter."""
    done = _run("games", "list", hostile, PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert rb"\u03bbx" in done.stdout


def test_all_programs_print_by_the_protected_console() -> None:
    """A console of rich itself would pass control characters of foreign texts."""
    makes = re.compile(r"^from rich\.console import .*\bConsole\b.*\bConsole\(", re.DOTALL | re.MULTILINE)
    sources = (path for program in PROGRAMS for path in (ROOT / program).rglob("*.py"))
    assert [path.name for path in sources if makes.search(path.read_text())] == ["console.py"]
