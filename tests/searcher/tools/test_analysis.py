"""The command `analyze`, which prints the search of one position."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.searcher.commands import ROOT, assert_refused, command

REQUESTS = ROOT / "tests" / "fixtures" / "requests"


@pytest.mark.parametrize("name", ["standard-move-mid-42", "solo-move-mid-16", "wrapped-move-mid-46"])
def test_depths_and_root_moves_are_shown(name: str) -> None:
    """The output has a line for each completed depth, then the stop reason, then the root moves."""
    done = command("analyze", REQUESTS / f"{name}.json", "--time", "150", "--strategy", "paranoid/area")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("paranoid/area, 150 ms, ")
    depths = [int(found.group(1)) for line in lines if (found := re.match(r"depth +(\d+) ", line))]
    assert depths == list(range(1, len(depths) + 1)) != []
    stopped = next(number for number, line in enumerate(lines) if line.startswith("stopped: "))
    counts = r"[\d,]+ nodes, [\d,]+ evaluations, [\d,]+ table hits, table \d+% full"
    assert re.fullmatch(rf"stopped: [a-z_]+, {counts}", lines[stopped])
    assert lines[stopped + 1].split() == ["move", "score", "depth", "outcome"]
    assert {line.split()[0] for line in lines[stopped + 2 :]} <= {"up", "down", "left", "right"}


def body(**board: Any) -> dict[str, Any]:
    """Return a recorded /move body with changes to its board."""
    content: dict[str, Any] = json.loads((REQUESTS / "standard-move-mid-42.json").read_text())
    content["board"].update(board)
    return content


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("nonsense", ("malformed",)),
        (json.dumps({"turn": 1}), ("game",)),
        (json.dumps(body(width="wide")), ("width",)),
        (json.dumps({**body(), "you": {"id": "nobody"}}), ("you_id", "'nobody'")),
        (json.dumps(body(width=26)), ("width", "25")),
        (json.dumps(body(snakes=body()["board"]["snakes"] * 9)), ("snakes", "8")),
    ],
)
def test_invalid_bodies_are_refused(content: str, words: tuple[str, ...], tmp_path: Path) -> None:
    """The error names the invalid field."""
    file = tmp_path / "body.json"
    file.write_text(content)
    assert_refused(command("analyze", file, "--time", "10"), *words)


def test_an_unknown_strategy_is_refused() -> None:
    """The error names the valid ones."""
    file = REQUESTS / "standard-move-mid-42.json"
    assert_refused(command("analyze", file, "--strategy", "x"), "'x'", "paranoid/area")
