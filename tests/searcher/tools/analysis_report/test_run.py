"""The command `analyze`, which prints the search of one position."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.searcher.command_line import ROOT, assert_refused, call

REQUESTS = ROOT / "tests" / "fixtures" / "requests"
BODY = REQUESTS / "standard-move-mid-42.json"
GAME = ROOT / "tests" / "fixtures" / "games" / "duel.jsonl"


def lines_of(*arguments: str | Path) -> list[str]:
    """Return the lines that `analyze` prints."""
    done = call("analyze", *arguments)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_depths_and_root_moves_are_shown() -> None:
    """The output has the board, a line for each completed depth, the stop reason, and the root moves."""
    lines = lines_of(BODY, "--time", "150", "--strategy", "paranoid/area")
    assert lines[0] == "Turn 42, standard on 11x11"
    headline = next(number for number, line in enumerate(lines) if line.startswith("paranoid/area, 150 ms: "))
    assert re.fullmatch(r"paranoid/area, 150 ms: [A-D] \(s\d\) to move", lines[headline])
    assert lines[headline + 1].split()[:5] == ["depth", "move", "score", "nodes", "ms"]
    stopped = next(number for number, line in enumerate(lines) if line.startswith("stopped: "))
    depths = [int(line.split()[0]) for line in lines[headline + 2 : stopped]]
    assert depths == list(range(1, len(depths) + 1)) != []
    counts = r"[\d,]+ nodes, [\d,]+ evaluations, [\d,]+ table hits, table \d+% full"
    assert re.fullmatch(rf"stopped: [a-z_]+, {counts}", lines[stopped])
    assert lines[stopped + 2].split() == ["move", "score", "depth", "outcome"]
    end = lines.index("", stopped + 2)
    assert {line.split()[0] for line in lines[stopped + 3 : end]} <= {"up", "down", "left", "right"}


def test_the_strategy_that_the_default_chose_is_shown() -> None:
    """A snake alone, a duel and a crowd are searched with different strategies."""
    for name, strategy in (
        ("solo-move-mid-16", "paranoid/solo"),
        ("standard-move-late-84", "paranoid/hungry"),
        ("royale-move-mid-16", "crowd/hungry"),
    ):
        lines = lines_of(REQUESTS / f"{name}.json", "--depth", "1")
        assert any(line.startswith(f"{strategy}, depth 1: ") for line in lines)


def test_auto_has_no_weights() -> None:
    """Weights without a strategy are those of `balanced`, in solo games too; with `auto` they are refused."""
    body = str(REQUESTS / "solo-move-mid-16.json")
    lines = lines_of(body, "--depth", "1", "--weights", "hunger=0.25")
    assert any(line.startswith("paranoid/balanced, hunger=0.25, depth 1: ") for line in lines)
    refused = call("analyze", body, "--strategy", "auto", "--weights", "hunger=0.25")
    assert_refused(refused, "auto has no weights: it chooses the evaluator")


def test_expected_moves_are_shown_for_each_snake() -> None:
    """They are those of the last depth: the pv has a letter of each snake for each turn."""
    lines = lines_of(f"{GAME}:4", "--depth", "3", "--nodes", "100000", "--weights", "hunger=0.25")
    assert any(line.startswith("paranoid/balanced, hunger=0.25, depth 3, 100,000 nodes: ") for line in lines)
    pv = next(line for line in lines if line.startswith("    3  ")).split()[5:]
    first, second = (" ".join(turn[snake] for turn in pv) for snake in (0, 1))
    assert lines[-3:] == ["expected moves", f"A  {first}", f"B  {second}"]


def test_a_draw_has_the_score_0(tmp_path: Path) -> None:
    """The outcome says in words that it is one. A search ranks it just above a loss."""
    heads = [{"x": 1, "y": 0}, {"x": 3, "y": 0}]
    snakes = [
        {"id": name, "name": name, "health": 90, "body": [head, tail]}
        for name, head, tail in zip("ab", heads, ({"x": 0, "y": 0}, {"x": 4, "y": 0}), strict=True)
    ]
    board = {"width": 5, "height": 1, "snakes": snakes, "food": [], "hazards": []}
    file = tmp_path / "draw.json"
    file.write_text(json.dumps({"game": {"id": "g"}, "turn": 3, "you": snakes[0], "board": board}))
    assert any(re.match(r"right +\+0\.0000 +\d+  draw in 1", line) for line in lines_of(file, "--depth", "2"))
    found = json.loads(lines_of(file, "--depth", "2", "--json")[0])
    assert (found["score"], found["root_moves"][0]["score"]) == (0.0, 0.0)


def test_a_body_is_read_from_standard_input() -> None:
    """The file - is standard input."""
    arguments = [sys.executable, "-m", "searcher", "analyze", "-", "--depth", "1"]
    done = subprocess.run(arguments, cwd=ROOT, input=BODY.read_bytes(), capture_output=True, check=True)
    assert done.stdout.startswith(b"Turn 42")


def test_an_interrupt_ends_the_search() -> None:
    """The results so far are printed then."""
    arguments = [sys.executable, "-m", "searcher", "analyze", str(BODY), "--depth", "120"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(arguments, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as search:
        assert search.stdout is not None
        while not search.stdout.readline().startswith("    5  "):
            assert search.poll() is None
        search.send_signal(signal.SIGINT)
        output = search.stdout.read()
    assert search.returncode == 0
    assert "stopped: cancelled, " in output
    assert "expected moves" in output


def body(**board: Any) -> dict[str, Any]:
    """Return a recorded /move body with changes to its board."""
    content: dict[str, Any] = json.loads(BODY.read_text())
    content["board"].update(board)
    return content


def test_bodies_of_any_engine_are_analyzed(tmp_path: Path) -> None:
    """The same reader as for moves mends what a search does not take."""
    file = tmp_path / "body.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(body(food=None, width=26)).encode())
    assert call("analyze", file, "--depth", "1", "--strategy", "paranoid/area").returncode == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("nonsense", ("body.json", "not JSON")),
        (json.dumps({**body(), "you": {"id": "nobody"}}), ("you_id", "'nobody'")),
    ],
)
def test_invalid_bodies_are_refused(content: str, words: tuple[str, ...], tmp_path: Path) -> None:
    """The error names the file or the invalid field."""
    file = tmp_path / "body.json"
    file.write_text(content)
    assert_refused(call("analyze", file, "--time", "10"), *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--strategy", "x"), ("'x'", "paranoid/area")),
        (("--weights", "nothing=1"), ("'nothing'", "hunger")),
        (("--depth", "9" * 30), ("depth", "120")),
        (("--you", "nobody"), ("--you", "'nobody'", "s1, s2")),
    ],
)
def test_bad_options_are_refused(arguments: tuple[str, ...], words: tuple[str, ...]) -> None:
    """The error names the option or its field, and the valid values."""
    assert_refused(call("analyze", BODY, *arguments), *words)
