"""The gauntlet command, and company in the match command."""

import re
from pathlib import Path

import pytest

from arena.games.entrants import pool_names
from arena.records import read_match
from tests.arena.commands.processes import run

pytestmark = pytest.mark.usefixtures("plays_here")

SHORT = ("--size", "7", "--nodes", "60", "--max-turns", "120")
FEW = ("--pool", "greedy", "--pool", "coward", "--pool", "paranoid/length,nodes=20")


def test_duels_against_some_opponents(tmp_path: Path) -> None:
    """Each opponent has its games, in pairs with swapped seats, and the first entrant's figures follow."""
    file = tmp_path / "g.jsonl"
    printed = run("gauntlet", "paranoid/area", *FEW, "--games", "3", *SHORT, "--output", file)
    for name in ("greedy", "coward", "paranoid/length nodes=20"):
        assert re.search(rf"^{re.escape(name)} +4 ", printed, re.MULTILINE)
    for fact in (
        "Games that count +12 in 6 blocks",
        "Points ",
        "Conduct",
        "Causes of death",
    ):
        assert re.search(rf"^ *{fact}", printed, re.MULTILINE)
    assert "Ended: all games are played." in printed
    for block in read_match(file).blocks:
        first, second = (game.seats for game in block.games)
        assert first == second[::-1] and 0 in first


WHOLE = ("gauntlet", "paranoid/area", "--snakes", "4", "--games", "1", "--nodes", "10", "--max-turns", "3")


@pytest.mark.rest("strategies of the whole pool")
def test_the_whole_pool_plays(tmp_path: Path) -> None:
    """By default every opponent of the pool plays, equally often, and commits no fault."""
    file = tmp_path / "g.jsonl"
    run(*WHOLE, "--output", file)
    match = read_match(file)
    assert tuple(entrant.name for entrant in match.setup.entrants[1:]) == pool_names()
    games = [game.seats for block in match.blocks for game in block.games]
    assert len({sum(index in seats for seats in games) for index in range(1, len(match.setup.entrants))}) == 1
    turns = [turn for block in match.blocks for game in block.games for turn in game.turns]
    assert turns and not any(decision.fault for turn in turns for decision in turn.decisions if decision)


def test_a_match_with_company(tmp_path: Path) -> None:
    """Two contenders play in every game, and each block's company is drawn from those named."""
    file = tmp_path / "m.jsonl"
    company = [word for name in ("greedy", "coward", "hunter") for word in ("--company", name)]
    options = (*company, "--snakes", "4", "--games", "12", *SHORT)
    printed = run("match", "paranoid/area", "paranoid/length,nodes=20", *options, "--output", file)
    company_text = "in the company of greedy, coward and hunter"
    assert f"paranoid/area against paranoid/length nodes=20 {company_text}\n" in printed
    assert re.search(r"^Games that count +12 in 3 blocks *$", printed, re.MULTILINE)
    blocks = read_match(file).blocks
    for block in blocks:
        assert all(game.seats.count(0) == game.seats.count(1) == 1 for game in block.games)
        assert len(block.games) == 4 and len({frozenset(game.seats) for game in block.games}) == 1
    assert {seat for block in blocks for seat in block.games[0].seats} == {0, 1, 2, 3, 4}
