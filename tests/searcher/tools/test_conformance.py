"""The command `conformance`, which checks the rules against recorded turns."""

import gzip
import json
from pathlib import Path

import pytest

from tests.searcher.command_line import assert_refused, call, command
from tests.searcher.engine.positions import TRANSITIONS


@pytest.fixture
def lines() -> list[str]:
    """The first recorded turns."""
    with gzip.open(TRANSITIONS, "rt", encoding="utf-8") as file:
        return [line for _, line in zip(range(5), file, strict=False)]


def test_all_recorded_turns_pass() -> None:
    """The last line counts the turns, and the command succeeds."""
    done = call("conformance", TRANSITIONS)
    assert (done.returncode, done.stdout.splitlines()) == (0, ["3500 passed, 0 failed"]), done.stderr


@pytest.mark.rest("other board shapes")
def test_all_recorded_turns_pass_in_all_shapes() -> None:
    """In a process of its own the command uses the smallest shape that holds a turn."""
    assert command("conformance", TRANSITIONS).stdout.splitlines() == ["3500 passed, 0 failed"]


def test_an_altered_turn_fails(lines: list[str], tmp_path: Path) -> None:
    """The command names the line and the difference, and fails."""
    record = json.loads(lines[2])
    record["after"]["snakes"][0]["health"] += 1
    file = tmp_path / "altered.jsonl"
    file.write_text("".join([*lines[:2], json.dumps(record) + "\n", *lines[3:]]))
    done = call("conformance", file)
    first, last = done.stdout.splitlines()
    assert done.returncode == 1
    assert first.startswith("line 3, standard: snakes: ")
    assert last == "4 passed, 1 failed"


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [("other.jsonl", b'{"turn": 1}\n', "ruleset"), ("other.jsonl.gz", b"nonsense\n", "gzip")],
)
def test_an_invalid_file_is_refused(name: str, content: bytes, word: str, tmp_path: Path) -> None:
    """The error names the problem in one line."""
    file = tmp_path / name
    file.write_bytes(content)
    assert_refused(call("conformance", file), word)
