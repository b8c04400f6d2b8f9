"""The command `suite`, which reports moves and scores that a good search avoids."""

import json
from pathlib import Path
from typing import Any

import pytest

from searcher.positions.suite import SUITE, read_suite
from tests.searcher.command_line import assert_refused, call

ENTRIES = [json.loads(line) for line in SUITE.read_text().splitlines()]

STRATEGY = ("--strategy", "paranoid/balanced")


def suite_file(folder: Path, *entries: dict[str, Any]) -> Path:
    """Write a suite."""
    file = folder / "own.jsonl"
    file.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    return file


def walled_in(**changes: Any) -> dict[str, Any]:
    """Return a position in which up is the only move that is no wall and no body."""
    snakes = [
        {"id": "a", "health": 90, "body": cells("00 10 20")},
        {"id": "b", "health": 90, "body": cells("88 87 86")},
        {"id": "c", "health": 90, "body": cells("28 27 26")},
    ]
    board = {"width": 11, "height": 11, "snakes": snakes, "food": cells("55")}
    entry = {"name": "walled-in", "why": "Up is the only move.", "game": {}, "turn": 9, "you": {"id": "a"}}
    return {**entry, "board": board, **changes}


def cells(text: str) -> list[dict[str, int]]:
    """Return the cells of coordinates with one digit each."""
    return [{"x": int(cell[0]), "y": int(cell[1])} for cell in text.split()]


def starving(**changes: Any) -> dict[str, Any]:
    """Return the same position with a health of 1, where every move starves."""
    entry = walled_in(**changes)
    entry["board"]["snakes"][0] = {**entry["board"]["snakes"][0], "health": 1, "body": cells("33 34 35")}
    return entry


def test_the_projects_own_suite_runs() -> None:
    """Each position has its row, a line counts them, and failures are explained and set the exit code."""
    done = call("suite", "--nodes", "300")
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["position", "strategy", "move", "score", "depth", "outcome", "result"]
    names = [entry.name for entry in read_suite(SUITE)]
    rows = lines[1 : 1 + len(names)]
    assert [row.split()[0] for row in rows] == names
    passed = sum(row.rstrip().endswith("passed") for row in rows)
    assert f"auto: {passed} passed, {len(names) - passed} failed" in lines
    assert passed < len(names)
    assert "Failures are expected: " in done.stdout
    assert done.returncode == 1, done.stderr


def test_a_move_to_avoid_fails(tmp_path: Path) -> None:
    """A strategy that plays it is reported with the reason, and the command fails."""
    file = suite_file(tmp_path, walled_in(avoid=["up"]))
    done = call("suite", file, *STRATEGY, "--depth", "2")
    assert done.returncode == 1
    header, row, _, reason, count = done.stdout.splitlines()
    assert row.split()[:3] == ["walled-in", "paranoid/balanced", "up"]
    assert row.rstrip().endswith("plays up")
    assert row.index("plays up") == header.index("result")
    assert reason == "walled-in: Up is the only move."
    assert count == "paranoid/balanced: 0 passed, 1 failed"


def test_a_claimed_loss_fails(tmp_path: Path) -> None:
    """A proven loss violates not_lost, and no other expectation."""
    claimed, silent = starving(not_lost=True), starving(name="silent", avoid=["up"])
    done = call("suite", suite_file(tmp_path, claimed, silent), *STRATEGY, "--depth", "2", "--json")
    assert done.returncode == 1
    [found] = json.loads(done.stdout)["strategies"]
    assert [line["violations"] for line in found["positions"]] == [["claims a loss in 1"], []]
    assert (found["passed"], found["failed"]) == (1, 1)


def test_json_has_what_the_table_has(tmp_path: Path) -> None:
    """Every strategy has its counts, and every position its move, score, depth, nodes and outcome."""
    file = suite_file(tmp_path, walled_in(avoid=["down"]), starving(name="lost", not_lost=True))
    names = "auto", "brs/balanced"
    done = call("suite", file, "--strategy", names[0], "--strategy", names[1], "--depth", "1", "--json")
    strategies = json.loads(done.stdout)["strategies"]
    assert [each["strategy"] for each in strategies] == list(names)
    for each in strategies:
        assert (each["passed"], each["failed"]) == (1, 1)
        walled, starved = each["positions"]
        assert (walled["name"], walled["why"]) == ("walled-in", "Up is the only move.")
        assert (walled["depth"], walled["move"], walled["outcome"]) == (1, "up", None)
        assert -1 < walled["score"] < 1 <= walled["nodes"]
        assert starved["outcome"] == {"kind": "loss", "turns": 1}
        assert starved["score"] == pytest.approx(-1, abs=1e-3)
    assert {line["strategy"] for line in strategies[1]["positions"]} == {"brs/balanced"}
    # auto is reported as what it has chosen.
    assert all("/" in line["strategy"] for line in strategies[0]["positions"])


def test_a_time_that_is_too_short_is_no_fault() -> None:
    """A search that ends before its first depth has a move, and claims nothing."""
    done = call("suite", *STRATEGY, "--time", "1", "--json")
    [found] = json.loads(done.stdout)["strategies"]
    assert found["passed"] + found["failed"] == len(ENTRIES)
    assert all(line["move"] for line in found["positions"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"avoid": ["north"]}, ("own.jsonl, line 1", "avoid", "'north'", "up, down, left, right")),
        ({"avoid": ["up"], "you": {"id": "z"}}, ("own.jsonl, line 1", "you_id", "'z'", "'a', 'b', 'c'")),
    ],
)
def test_an_invalid_line_is_refused(changes: dict[str, Any], words: tuple[str, ...], tmp_path: Path) -> None:
    """The error names the line, the field and what is valid."""
    assert_refused(call("suite", suite_file(tmp_path, walled_in(**changes))), *words)


def test_an_unknown_strategy_is_refused() -> None:
    """The error has the valid names."""
    assert_refused(call("suite", "--strategy", "minimax"), "'minimax'", "paranoid/area", "length")
