"""Games in the output of the official engine."""

import asyncio
import subprocess
from pathlib import Path

import grpc
import msgspec
import pytest
from aiohttp.test_utils import TestServer

from battlesnake_search.reader import decode
from console.replay import official
from console.replay.official import BadFileError
from console.store.assembly import whole
from console.store.database import read_database
from console.store.recorder import position_of
from console.store.records import LivingSnake, Position, unpack
from console.store.store import Store
from console.store.values import Game
from gateway import app
from gateway.settings import Settings
from tests.console.serving import serving
from tests.console.web.console import until_stored
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.support.games import GameSetup

DUEL = Path(__file__).parents[2] / "fixtures" / "games" / "duel.jsonl"


def _game(data: bytes) -> Game:
    header, positions = official.read(data)
    return whole(header, positions)


def _boards(data: bytes) -> dict[int, Position]:
    """Return the boards of a file by turn, without latencies, because a game does not keep them."""
    positions = [position_of(decode(line)) for line in data.splitlines()[1:-1]]
    return {each.turn: msgspec.structs.replace(each, snakes=_without_latencies(each)) for each in positions}


def _without_latencies(position: Position) -> dict[str, LivingSnake]:
    return {name: LivingSnake(one.body, one.health) for name, one in position.snakes.items()}


def _ends(data: bytes) -> list[object]:
    """Return the first and the last line."""
    lines = data.splitlines()
    return [msgspec.json.decode(lines[0]), msgspec.json.decode(lines[-1])]


async def _played(engine: Path, folder: Path, setup: GameSetup, snakes: int) -> tuple[bytes, Game]:
    """Play a game of snakes that move by reflex; return the engine's file, and the game as recorded."""
    file, database = folder / "game.jsonl", read_database(str(folder / "games.sqlite"))
    refused = ScriptedService(scripted_searcher.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=1_000_000))
    async with (
        scripted_searcher.searcher(refused) as target,
        serving(database) as console,
        TestServer(gateway := app.build(Settings(searcher=target, console=console.target))) as server,
    ):
        url = str(server.make_url("")).rstrip("/")
        players = [f"--name=snake {number}" for number in range(snakes)] + [f"--url={url}"] * snakes
        command = [str(engine), "play", f"--output={file}", *players, *setup.options()]
        await asyncio.to_thread(subprocess.run, command, check=True, capture_output=True)
        # At its end, a gateway waits for a busy console for two seconds alone.
        await until_stored(gateway, 30)
    async with Store(database.url) as store:
        [header] = await store.headers(None, 10)
        return file.read_bytes(), whole(header, map(unpack, await store.records(header.id)))


@pytest.mark.parametrize(
    ("setup", "snakes"),
    [
        (GameSetup("standard", width=7, height=7, seed=5), 4),
        (GameSetup("wrapped", "hz_islands_bridges", seed=5), 2),
        (GameSetup("solo", "royale", seed=5), 1),
    ],
    ids=["standard", "wrapped", "solo"],
)
async def test_a_game_of_the_engine_is_written_as_it_was_read(
    official_engine: Path, tmp_path: Path, setup: GameSetup, snakes: int
) -> None:
    """Boards, settings, names and the winner survive writing and reading, and equal the recorded ones."""
    data, recorded = await _played(official_engine, tmp_path, setup, snakes)
    written = b"".join(official.write(_game(data)))
    assert _boards(written) == _boards(data) and _ends(written) == _ends(data)
    assert _game(written).turns == _game(data).turns
    exported = b"".join(official.write(recorded))
    theirs, ours = _boards(data), _boards(exported)
    last = max(theirs)
    assert ours[last].snakes == theirs[last].snakes
    # The map has changed once more before the /end.
    assert ours | {last: None} == theirs | {last: None}
    assert _ends(exported) == _ends(data)
    assert all(snake.ours for snake in recorded.snakes) and len(recorded.snakes) == snakes


def test_an_imported_game_is_shown_like_any_other() -> None:
    """It has its turns, its snakes and its winner. Facts that the file lacks are None."""
    game = _game(DUEL.read_bytes())
    assert (game.source, game.over, game.started_at) == ("imported", True, None)
    assert [snake.name for snake in game.snakes] == ["one", "two"]
    assert not any(snake.ours for snake in game.snakes)
    assert game.result is not None and game.result.winner == 1
    assert game.turns[0].turn == 0 and game.turns[0].decisions == [None, None]
    assert [death.snake for turn in game.turns for death in turn.deaths] == [0]


@pytest.mark.parametrize(("cut", "rest"), [(2, b""), (3, b'{"'), (8, b'{"game":{"id":"\xc3'), (-1, b"")])
def test_a_file_that_was_cut_off_has_no_result(cut: int, rest: bytes) -> None:
    """Its whole lines have turns, also if the last line was cut off."""
    whole_game = _game(DUEL.read_bytes())
    lines = DUEL.read_bytes().splitlines(keepends=True)[:cut]
    game = _game(b"".join(lines) + rest)
    assert game.over and game.result is None
    assert game.turns == whole_game.turns[: len(lines) - 1]
    assert _game(b"".join(official.write(game))) == game


@pytest.mark.parametrize(
    ("line", "text", "named"),
    [
        (1, "nonsense", "line 1: not JSON lines, as `battlesnake play"),
        (3, '{"game": 1}', "line 3: board: "),
        (4, "nonsense", "line 4: the line: not JSON"),
        (
            5,
            DUEL.read_text().splitlines()[4].replace('"body"', '"bodz"', 1),
            "line 5: board.snakes: a snake lacks",
        ),
        (-1, "{}", "not the winner of a game"),
        (1, None, "a game has a line for itself"),
    ],
)
def test_another_file_is_refused_with_its_line(line: int, text: str | None, named: str) -> None:
    """The error names the line and the field that are not the engine's."""
    lines = DUEL.read_text().splitlines()
    if text is None:
        lines = lines[:line]
    else:
        lines[line - 1 if line > 0 else line] = text
    with pytest.raises(BadFileError, match=named):
        official.read("\n".join(lines).encode())
