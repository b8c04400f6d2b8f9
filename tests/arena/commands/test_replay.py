"""The replay command: two entrants on the same recorded positions."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.records import read_match
from tests.arena.commands.processes import complaint, run
from tests.support.services import ROOT

pytestmark = pytest.mark.usefixtures("plays_here")

DUEL = ROOT / "tests/fixtures/games/duel.jsonl"
"""A game of the official engine, of the snakes one and two."""

FEW = ("--nodes", "300")


def lines(*arguments: str | Path) -> list[dict[str, Any]]:
    """The comparisons, as JSON."""
    # Progress may be between the lines.
    printed = run("replay", *arguments, "--json").splitlines()
    return [msgspec.json.decode(line) for line in printed if line.startswith("{")]


def test_equal_entrants_agree_on_every_move() -> None:
    """With a limit of nodes the searches repeat, and nothing is listed."""
    printed = run("replay", DUEL, "paranoid/area", "paranoid/area,name=again", *FEW)
    [(agreed, positions)] = re.findall(r"chose the same move in (\d+) of (\d+) positions of 1 game", printed)
    assert int(agreed) == int(positions) > 20
    assert "moves differ" not in printed


def test_different_entrants_are_compared() -> None:
    """Each has its depth and score, and the turns with different moves have addresses, the farthest first."""
    found = lines(DUEL, "paranoid/area", "paranoid/length", *FEW)
    differing = [each for each in found if each["answers"][0]["move"] != each["answers"][1]["move"]]
    assert 0 < len(differing) < len(found)
    assert {each["snake"] for each in found} == {"one", "two"}
    printed = run("replay", DUEL, "paranoid/area", "paranoid/length", *FEW, "--most", "2")
    assert f"The moves differ in {len(differing)} positions, of which 2 are listed" in printed
    assert re.search(r"^paranoid/area +\d+ of \d+ +[+-]\d\.\d{3} +\d+\.\d +\d+", printed, re.MULTILINE)
    farthest = max(differing, key=lambda one: abs(one["answers"][0]["score"] - one["answers"][1]["score"]))
    addresses = re.findall(r"^\d  (http://localhost:8001/game\.html#\S+)$", printed, re.MULTILINE)
    assert len(addresses) == 2 and addresses[0] == farthest["page"]


def test_the_snakes_can_be_chosen() -> None:
    """The name is that in the file, and an unknown one is told the valid ones."""
    assert {each["snake"] for each in lines(DUEL, "greedy", "coward", "--snake", "two")} == {"two"}
    assert "no snake 'three' in the games; valid: one, two" in complaint(
        "replay", DUEL, "greedy", "coward", "--snake", "three"
    )


def test_the_games_of_a_match_are_compared(tmp_path: Path) -> None:
    """Each position has the move that was recorded, and several files make one report."""
    file = tmp_path / "match.jsonl"
    options = ("--size", "7", "--nodes", "60", "--max-turns", "20")
    run("match", "greedy", "hunter", "--games", "2", *options, "--output", file)
    found = lines(file, DUEL, "greedy", "hunter")
    [block] = read_match(file).blocks
    moves = [
        decision.move
        for game in block.games
        for turn in game.turns
        for decision in turn.decisions
        if decision is not None
    ]
    assert len({each["game"] for each in found}) == 3
    assert [each["played"] for each in found if each["game"] != "duel"] == moves


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("paranoid/area", "paranoid/none"), "no strategy 'paranoid/none'; a strategy"),
        (("paranoid/area", "http://localhost:1,time=50"), "plays whole games only: give a strategy such as"),
    ],
)
def test_a_player_that_can_not_search_is_refused(arguments: tuple[str, ...], words: str) -> None:
    """The error names the entrant and the valid kinds of entrants."""
    assert words in complaint("replay", DUEL, *arguments)
