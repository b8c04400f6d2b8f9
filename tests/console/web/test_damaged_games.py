"""Stored games that can't be decoded: the console shows the rest, and reviews of other games go on."""

import asyncio
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from battlesnake_search.record.events import Ended
from console.commands.main import main
from console.reviews.game_review import NoResultError
from console.reviews.review import decode
from console.store.database import read_database
from console.store.records import Decided, encode, pack
from console.store.values import Game
from tests.console.reviews.reviewing import reviewing
from tests.console.store.game_samples import ARM, turn_at
from tests.console.store.outcome_samples import OUTCOME
from tests.console.web.console import running
from tests.console.web.script import duel, import_duel
from tests.support.commands import called
from tests.support.logs import capture_logs

PATIENCE = 30.0
DAMAGED_TURN = 3


def _change(file: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute(statement, values).rowcount > 0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A database with the duel."""
    import_duel(tmp_path / "games.sqlite")
    return tmp_path / "games.sqlite"


@pytest.mark.parametrize("record", [b"x", pack(b"x"), "text", pack(encode({"turn": 3}))])
async def test_a_damaged_turn_is_left_out(file: Path, record: object) -> None:
    """The page of the game has all other turns."""
    _change(file, "UPDATE game_records SET record = ? WHERE turn = ?", record, DAMAGED_TURN)
    async with running(outcomes=read_database(str(file))) as console:
        game = await console.get(f"/api/games/{duel().id}")
    turns = [turn["turn"] for turn in game["turns"]]
    assert turns == [turn.turn for turn in duel().turns if turn.turn != DAMAGED_TURN]


async def test_impossible_values_cost_their_turn_alone(file: Path) -> None:
    """A move of another name, before the death of its snake, leaves all boards as they are."""
    last, snake = duel().turns[-2].turn, duel().snakes[0].id
    for each in (duel().snakes[0].id, duel().snakes[1].id):
        odd = Decided(last, each, "north", "search", "paranoid/area", 1.0, 1.0, 1.0)
        statement = "INSERT INTO game_records (game_id, turn, snake_id, record) VALUES (?, ?, ?, ?)"
        _change(file, statement, duel().id, last, each, pack(encode(odd)))
    async with running(outcomes=read_database(str(file))) as console:
        game = await console.get(f"/api/games/{duel().id}")
    assert [turn["turn"] for turn in game["turns"]] == [turn.turn for turn in duel().turns]
    assert snake in [each["id"] for each in game["snakes"]]


def _lost(game: str) -> Ended:
    return Ended(turn_at(5, game), ARM, msgspec.structs.replace(OUTCOME, game_id=game, result="loss"))


@pytest.mark.parametrize("error", [ValueError("no"), NoResultError("no")])
async def test_reviews_go_on_after_a_damaged_game(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log has one line for the game that could not be reviewed."""
    read: list[str] = []

    async def game(name: str) -> Game:
        read.append(name)
        if name == "bad":
            raise error
        return msgspec.structs.replace(duel(), id=name)

    with capture_logs() as logs:
        async with (
            reviewing(tmp_path, after_losses=True) as (library, reviewer),
            reviewer.running(),
            asyncio.timeout(PATIENCE),
        ):
            monkeypatch.setattr(library, "game", game)
            for name in ("bad", "good"):
                reviewer.take(_lost(name))
            while read != ["bad", "good"]:
                await asyncio.sleep(0.01)
    [line] = [line for line in logs if line["event"] == "game not reviewed"]
    assert line["game_id"] == "bad"


@pytest.mark.parametrize("stored", [b"{", b"\xff", b"[]"])
def test_a_damaged_review_is_none(stored: bytes) -> None:
    """It is made again."""
    assert decode(stored) is None


def test_commands_warn_of_a_damaged_game(file: Path) -> None:
    """A list has the other games and a warning on standard error. The export is an error."""
    _change(file, "UPDATE games SET header = ? WHERE id = ?", b"\x81", duel().id)
    command = [sys.executable, "-m", "console", "games", "list", "--outcomes", str(file)]
    listed = subprocess.run(command, capture_output=True, text=True)
    assert (listed.returncode, listed.stdout) == (0, "no games yet\n")
    assert "rows that can't be read are left out" in listed.stderr and "games" in listed.stderr
    exported = called(main, "games", "export", duel().id, "-", "--outcomes", str(file))
    assert exported.exit_code == 1 and duel().id in exported.stderr
