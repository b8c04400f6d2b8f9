"""Positions from /move bodies and from games of the official engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from searcher.tools.analysis_report import read_source
from tests.searcher.command_line import ROOT

BODY = ROOT / "tests" / "fixtures" / "requests" / "standard-move-mid-42.json"
GAME = ROOT / "tests" / "fixtures" / "games" / "duel.jsonl"
LINES: list[dict[str, Any]] = [json.loads(line) for line in GAME.read_text().splitlines()]
ONE, TWO = (snake["id"] for snake in LINES[1]["board"]["snakes"])


def write(file: Path, lines: list[dict[str, Any]]) -> Path:
    """Write lines of JSON."""
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return file


@pytest.mark.parametrize("turn", [0, 11])
def test_every_turn_of_a_game_is_found(turn: int) -> None:
    """The board is that of the turn, and the first snake alive is to move, whoever the line's snake is."""
    body = read_source(f"{GAME}:{turn}", None)
    board = LINES[turn + 1]["board"]
    assert body.turn == turn
    assert [(snake.name, snake.health) for snake in body.board.snakes] == [
        (snake["name"], snake["health"]) for snake in board["snakes"]
    ]
    assert body.you.id == board["snakes"][0]["id"]


@pytest.mark.parametrize("name", ["two", TWO])
def test_another_snake_may_move(name: str) -> None:
    """A name or an id chooses it, in games and in bodies. Otherwise a body's own snake is to move."""
    assert read_source(f"{GAME}:0", name).you.id == TWO
    assert read_source(str(BODY), "s2").you.name == "s2"
    assert read_source(f"{BODY}:42", None).you.id == json.loads(BODY.read_text())["you"]["id"]


def test_a_file_name_may_have_a_colon(tmp_path: Path) -> None:
    """A file of the whole name goes before a turn of another file."""
    file = tmp_path / "game:7"
    file.write_bytes(BODY.read_bytes())
    assert read_source(str(file), None).turn == 42


def test_a_turn_without_a_living_snake_is_refused(tmp_path: Path) -> None:
    """The turns with one are valid."""
    lines = [*LINES[:4], {**LINES[4], "board": {**LINES[4]["board"], "snakes": []}}, LINES[-1]]
    file = write(tmp_path / "draw.jsonl", lines)
    with pytest.raises(ValueError, match=r"turn 3: no snake is alive in .*draw.jsonl; valid: 0 to 2"):
        read_source(f"{file}:3", None)


def test_snakes_of_one_name_are_told_apart_by_id(tmp_path: Path) -> None:
    """The error lists their ids."""
    board = LINES[1]["board"]
    twins = [{**snake, "name": "twin"} for snake in board["snakes"]]
    turn = {**LINES[1], "board": {**board, "snakes": twins}}
    file = write(tmp_path / "twins.jsonl", [LINES[0], turn, LINES[-1]])
    with pytest.raises(ValueError, match=f"2 snakes are named 'twin'; give an id: {ONE}, {TWO}"):
        read_source(f"{file}:0", "twin")
    assert read_source(f"{file}:0", TWO).you.id == TWO


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (f"{GAME}", "is a whole game; add a turn, as in .*/duel.jsonl:11; valid: 0 to 11"),
        (f"{GAME}:12", "turn 12: there is no such turn in .*; valid: 0 to 11"),
        (f"{GAME}:last", "must be a whole number, not 'last'"),
        (f"{BODY}:7", "is a /move body of turn 42, not of turn 7"),
        ("nowhere.json", "nowhere.json: No such file or directory"),
        (f"{ROOT}", "Is a directory"),
        ("/dev/null", "has neither a /move body nor turns"),
        (f"{ROOT / 'README.md'}", "README.md: not JSON"),
    ],
)
def test_an_unknown_source_is_refused(text: str, error: str) -> None:
    """The error names the file and the valid turns."""
    with pytest.raises(ValueError, match=error):
        read_source(text, None)


def test_a_snake_that_is_not_alive_is_refused() -> None:
    """The error names those that are."""
    with pytest.raises(
        ValueError, match="--you: no snake 'three' is alive on turn 2; valid: one, two, or an id"
    ):
        read_source(f"{GAME}:2", "three")
