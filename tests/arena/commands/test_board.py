"""The board command: matches are played, and their versions rated."""

from pathlib import Path

import pytest

from arena.records import read_match
from tests.arena.commands.processes import complaint, run

pytestmark = pytest.mark.usefixtures("plays_here")

SHORT = ("--size", "7", "--nodes", "60", "--max-turns", "60", "--games", "4")


def test_a_change_of_a_weight_is_a_new_version(tmp_path: Path) -> None:
    """Both versions are listed, compared, and one gets a note."""
    for weight in ("0.1", "0.9"):
        file = tmp_path / f"{weight}.jsonl"
        run("match", f"paranoid/area,weight.hunger={weight}", "greedy", *SHORT, "--output", file)
    versions = [read_match(tmp_path / f"{weight}.jsonl").setup.versions for weight in ("0.1", "0.9")]
    digests = [version for version, _ in versions]
    assert len(set(digests)) == 2 and all(len(digest) == 16 for digest in digests)
    printed = run("board", tmp_path, "--note", digests[1][:6], "hungrier")
    row = next(line for line in printed.splitlines() if digests[1][:8] in line)
    assert "hungrier" in row and "60 nodes" in row
    assert f"paranoid/area [{digests[1][:8]}] of 20" in printed


def test_the_same_code_and_weights_are_the_same_version(tmp_path: Path) -> None:
    """Another match of the same strategy adds to its line."""
    for seed in ("1", "2"):
        file = tmp_path / f"{seed}.jsonl"
        run("match", "paranoid/area", "greedy", *SHORT, "--seed", seed, "--output", file)
    rows = [line for line in run("board", tmp_path).splitlines() if line.startswith("paranoid/area [")]
    assert len(rows) == 1 and " 8 " in rows[0]


def test_errors_name_the_remedy(tmp_path: Path) -> None:
    """An empty folder and an unknown digest are told."""
    assert "has no match: write one with" in complaint("board", tmp_path)
    assert "--note: 0 versions begin with 'beef'; valid: none" in complaint(
        "board", tmp_path, "--note", "beef", "?"
    )


def test_other_code_does_not_continue_a_match(tmp_path: Path) -> None:
    """A match whose version has changed is another match."""
    file = tmp_path / "m.jsonl"
    run("match", "paranoid/area", "greedy", *SHORT, "--output", file)
    version = read_match(file).setup.versions[0]
    file.write_bytes(file.read_bytes().replace(version.encode(), b"0" * len(version)))
    said = complaint("match", "paranoid/area", "greedy", *SHORT, "--output", file, "--resume")
    assert "the file holds another match: its versions is" in said
