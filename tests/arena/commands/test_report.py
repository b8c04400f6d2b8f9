"""The command that makes a page of a match's file."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.commands.report import report
from tests.arena.match_files import duels, write


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A match's file."""
    match = duels(2)
    return write(tmp_path / "match.jsonl", match.setup, match.blocks)


def run(*arguments: object) -> Result:
    """Run the command."""
    return CliRunner().invoke(report, [str(argument) for argument in arguments])


def test_the_page_is_written_next_to_the_file(file: Path) -> None:
    """The page has the file's name by default, and the command prints its path and size."""
    result = run(file)
    page = file.with_suffix(".html")
    assert result.exit_code == 0, result.output
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert result.stdout == f"{page}: {page.stat().st_size:,} bytes\n"


def test_output_can_be_chosen(file: Path, tmp_path: Path) -> None:
    """The page is written to the chosen output."""
    page = tmp_path / "other.html"
    result = run(file, "--output", page)
    assert result.exit_code == 0, result.output
    assert page.is_file() and not file.with_suffix(".html").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--output", "{file}"), "is the match's own file"),
        (("--output", "{file}/page.html"), "Error: {file}/page.html: Not a directory\n"),
    ],
)
def test_invalid_options_are_rejected(file: Path, arguments: tuple[object, ...], words: str) -> None:
    """An error names the problem, and the match's file stays as it was."""
    before = file.read_bytes()
    result = run(file, *(str(argument).format(file=file) for argument in arguments))
    assert result.exit_code != 0
    assert words.format(file=file) in result.output
    assert file.read_bytes() == before
