"""The pool on the command line: its list, and a match of its opponents."""

import re
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.commands.main import main
from arena.games.entrants import one_turn_opponents, pool_names
from arena.pool._searches import SEARCHING_OPPONENTS
from arena.records import read_match
from tests.arena.commands.processes import ROOT, command, complaint, run

pytestmark = pytest.mark.usefixtures("plays_here")


def test_the_pool_is_listed() -> None:
    """Every opponent has a row with a description, and a search its strategy and weights."""
    result = CliRunner().invoke(main, ["pool"], terminal_width=200, env={"COLUMNS": "200"})
    assert result.exit_code == 0
    first_words = [line.strip("│ ").split(" ")[0] for line in result.output.splitlines()]
    assert [word for word in first_words if word in pool_names()] == list(pool_names())
    for opponent in one_turn_opponents().values():
        assert opponent.description in result.output
    for search in SEARCHING_OPPONENTS.values():
        assert all(part in result.output for part in (search.description, *search.text.split(",")))


def test_opponents_of_the_pool_play(tmp_path: Path) -> None:
    """A plain opponent and a search of the pool play a match; the limits concern only the search."""
    file = tmp_path / "match.jsonl"
    options = ("--games", "3", "--nodes", "60", "--size", "7", "--max-turns", "200", "--output", file)
    printed = run("match", "greedy", "hunter", "feeder", *options)
    assert re.search(r"^Games that count +3 in 1 block", printed, re.MULTILINE)
    match = read_match(file)
    decisions = [
        (match.setup.entrants[seat].name, decision)
        for block in match.blocks
        for game in block.games
        for turn in game.turns
        for seat, decision in zip(game.seats, turn.decisions, strict=True)
        if decision is not None
    ]
    assert {name for name, decision in decisions if decision.nodes} == {"feeder"}
    assert {name for name, _ in decisions} == {"greedy", "hunter", "feeder"}
    assert not any(decision.fault for _, decision in decisions)


def test_names_of_served_opponents_are_checked() -> None:
    """An unknown name, no name, and names beside --all are errors that list the valid names."""
    for arguments in (("nobody",), (), ("greedy", "--all")):
        error = complaint("pool", "serve", *arguments)
        assert all(name in error for name in pool_names())


def test_opponents_are_served_until_a_signal() -> None:
    """The command prints the URLs, and Ctrl-C ends it. A port that is in use is an error of one line."""
    with subprocess.Popen(
        command("pool", "serve", "greedy", "hunter", "--port", "0"),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        urls = [process.stdout.readline().strip() for _ in range(2)]
        assert [url.rpartition("/")[2] for url in urls] == ["greedy", "hunter"]
        port = urls[0].rpartition(":")[2].partition("/")[0]
        with socket.create_connection(("127.0.0.1", int(port))):
            error = complaint("pool", "serve", "greedy", "--port", port)
        assert error.strip().endswith("address already in use. Name another address with --host and --port.")
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
