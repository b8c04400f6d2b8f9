"""The match command."""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from arena.records import read_match
from tests.arena import outside_snake
from tests.arena.commands import processes
from tests.arena.commands.processes import ROOT, command, complaint, start_and_kill, wait_until_written
from tests.arena.setups import timeless_lines

pytestmark = pytest.mark.usefixtures("plays_here")

SHORT = ("--size", "7", "--nodes", "60", "--max-turns", "200", "--concurrency", "1")


def run(*arguments: str | Path, code: int = 0) -> str:
    """The output of a match, whose exit code must be `code`."""
    return processes.run("match", *arguments, code=code)


def test_a_match_prints_its_statistics(tmp_path: Path) -> None:
    """The summary has points, Elo with its interval, pairs, faults and the reason of the end."""
    file = tmp_path / "m.jsonl"
    printed = run("paranoid/area", "paranoid/length", "--games", "20", *SHORT, "--output", file)
    assert re.search(r"^Games that count +20 in 10 blocks *$", printed, re.MULTILINE)
    for word in ("Won / drawn / lost", "Pairs", "LOS", "Ended: all games are played."):
        assert word in printed
    assert re.search(r"^Elo +(more than )?\+\d", printed, re.MULTILINE)
    assert len(read_match(file).blocks) == 10


def test_a_side_that_never_answers_voids_the_match() -> None:
    """An entrant that never answers neither loses nor draws. If no game counts, the exit code is 1."""
    players = "time=60,name=mute", "paranoid/length,nodes=20"
    with outside_snake.running_process("--fault", "silent") as url:
        printed = run(f"{url},{players[0]}", players[1], "--games", "2", "--size", "7", code=1)
    assert re.search(r"^mute never answered +2 *$", printed, re.MULTILINE)
    assert re.search(r"^Games that count +0 in 0 blocks *$", printed, re.MULTILINE)


def test_a_rounded_number_of_games_is_printed() -> None:
    """One game becomes a pair, and a line says so."""
    assert "--games 1 is rounded up to 2, because " in run("random", "greedy", "--games", "1", *SHORT)


def test_a_strict_match_fails_at_a_fault() -> None:
    """A strict match that ends at a fault has exit code 1."""
    with outside_snake.running_process("--fault", "error", "--every", "3") as url:
        printed = run(f"{url},time=100", "paranoid/length,nodes=20", "--strict", "--games", "20", code=1)
    assert "Ended: a fault, and the match is strict." in printed


@pytest.mark.rest("killed processes")
def test_a_killed_match_continues_without_loss(tmp_path: Path) -> None:
    """A match that is killed at random moments and resumed leaves the file of an uninterrupted match."""
    arguments = ("paranoid/area", "paranoid/length", "--games", "30", *SHORT, "--output")
    file, whole = tmp_path / "killed.jsonl", tmp_path / "whole.jsonl"
    expected = run(*arguments, whole)
    start_and_kill("match", *arguments, file, "--resume", file=file, times=2)
    left = len(read_match(file).blocks)
    resumed = run(*arguments, file, "--resume")
    assert left > 0
    assert timeless_lines(file) == timeless_lines(whole)
    assert len(_facts(resumed)) == 3
    assert _facts(resumed) == _facts(expected)


def _facts(printed: str) -> list[str]:
    """The lines that depend on no measured time."""
    return [line for line in printed.splitlines() if line.startswith(("Won / ", "Pairs ", "Elo "))]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_prints_how_to_continue(tmp_path: Path, number: signal.Signals) -> None:
    """A match that Ctrl-C or SIGTERM interrupts ends with one line of output, and leaves no process.

    Ctrl-C reaches the worker processes, too, and SIGTERM only the command.
    """
    file = tmp_path / "m.jsonl"
    with subprocess.Popen(
        command("match", "paranoid/area", "paranoid/length", "--games", "5000", *SHORT, "--output", file),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        wait_until_written(file)
        if number is signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        _, error = process.communicate(timeout=30)
    assert process.returncode == 1
    assert f"the match was interrupted; --resume continues it from {file}" in error
    assert "Traceback" not in error and "leaked" not in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("paranoid/area", "paranoid/none"), "no strategy 'paranoid/none'; a strategy"),
        (("random", "greedy", "--sprt", "100", "--nodes", "9"), "'--sprt': '--nodes' is not a valid float"),
        (("random", "greedy", "--games", "zwei"), "'--games': 'zwei' is not a valid integer."),
        (("paranoid/area", "paranoid/area", "--resume"), "--resume needs --output FILE"),
        (
            ("http://127.0.0.1:9,time=50,name=gone", "127.0.0.1:9"),
            "Error: entrant gone: no snake can be reached at http://127.0.0.1:9: Connection refused\n",
        ),
        (("127.0.0.1:9", "127.0.0.1:9"), "Error: entrant 127.0.0.1:9: no searcher can be reached at"),
    ],
)
def test_invalid_arguments_are_reported_in_a_line(arguments: tuple[str, ...], message: str) -> None:
    """Invalid arguments end the command with one line that names the valid ones."""
    assert message in complaint("match", *arguments)
