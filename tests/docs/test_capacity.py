"""The figures of docs/capacity.md follow from the measurements."""

import json

import pytest
from click.testing import CliRunner

from docs.capacity import LOAD, PAGE, PICTURE, cores_for_a_game, filled, main


def test_the_tables_of_the_page_are_current() -> None:
    """All tables computed from docs/load.json are on the page, and its picture exists."""
    result = CliRunner().invoke(main)
    assert result.exit_code == 0
    page = PAGE.read_text()
    tables = result.output.strip().split("\n\n")
    assert len(tables) == 4
    assert [table for table in tables if table not in page] == []
    assert f"images/{PICTURE.name}" in page
    assert PICTURE.exists()


def test_a_table_replaces_the_old_one() -> None:
    """Only the text between the marks of a table changes."""
    page = "a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\n<!-- end -->\n"
    page = filled(page, {"one": "| 1 |", "two": r"| \2 |"})
    assert page == "a\n<!-- one -->\n| 1 |\n<!-- end -->\nb\n<!-- two -->\n| \\2 |\n<!-- end -->\n"
    with pytest.raises(ValueError, match="three"):
        filled(page, {"three": ""})


def test_the_cores_of_a_game() -> None:
    """One game of four takes a quarter of a core; two moves a second of 5 ms take a hundredth of another."""
    searcher, gateway = cores_for_a_game({"games a core": 4, "moves/s": 8, "gateway ms a move": 5})
    assert searcher == pytest.approx(0.25)
    assert gateway == pytest.approx(0.01)


def test_the_measured_rounds_grow() -> None:
    """The measured figures are the rounds of one load run, from 1 game to 64."""
    measured = json.loads(LOAD.read_text())["rounds"]
    assert [each["games a core"] for each in measured] == [1, 2, 4, 8, 16, 32, 64]
    pace = [each["moves/s"] for each in measured]
    assert pace == sorted(pace)
