"""The marks before blocks of code: every block for a shell is run by a test, or its page says why not."""

import pytest

from tests.docs.blocks import HOW_TO_MARK, Block, Command, blocks, faults
from tests.docs.pages import ROOT, every_page


@pytest.mark.parametrize("page", every_page())
def test_every_block_of_a_page_runs_or_says_why_not(page: str) -> None:
    """No block has a command that the test does not run, and no mark is wrong, unused or misplaced."""
    found = list(faults((ROOT / page).read_text()))
    assert not found, f"{page}: " + "\n".join([*found, "", HOW_TO_MARK])


def block(*lines: str, language: str = "sh", code: str = "python -m gateway\nmake run\n") -> Block:
    """Return a block with these lines before it."""
    [found] = blocks("\n".join(["Text.", "", *lines, f"```{language}", f"{code}```", ""]))
    return found


@pytest.mark.parametrize(
    ("marks", "commands"),
    [
        ((), ["python -m gateway", "make run"]),
        (("<!-- not run: it is slow -->",), []),
        (("<!-- not run `make`: it is slow -->",), ["python -m gateway"]),
        (("<!-- run by: .ci/run -->",), []),
        (("<!-- run with: --help for run -->",), ["python -m gateway", "make --help"]),
        (("<!-- run with: -h for run -->", "", "<!-- not run `gateway`: no -->"), ["make -h"]),
    ],
)
def test_marks_say_what_runs(marks: tuple[str, ...], commands: list[str]) -> None:
    """A whole block, some of its lines, or lines with other texts."""
    assert [command.code.strip() for command in block(*marks).commands()] == commands


def test_the_last_command_serves_or_the_one_that_is_named() -> None:
    """The mark has the port."""
    first, last = "python -m gateway\n", "make run\n"
    assert list(block("<!-- serves: 80 -->").commands()) == [Command(first), Command(last, "80")]
    assert list(block("<!-- serves `gateway`: 80 -->").commands()) == [Command(first, "80"), Command(last)]


def test_a_line_may_be_continued() -> None:
    """By a backslash, or within a quotation."""
    code = "curl a \\\n  b\ncurl '{\n}'\n"
    assert [command.code for command in block(code=code).commands()] == ["curl a \\\n  b\n", "curl '{\n}'\n"]


def test_a_block_may_be_a_file() -> None:
    """Its mark has the name."""
    made = block("<!-- file: a/b.toml -->", language="toml", code="a = 1\n")
    assert (made.file, made.code, made.line) == ("a/b.toml", "a = 1\n", 4)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("```sh\nkubectl get pods\n```", "line 1: the test does not run `kubectl`"),
        ("```sh\nX=1 make test ARGS=-v\n```", "line 1: the test does not run `make test`"),
        ("```sh\nsudo cat a\n```", "line 1: the test does not run `sudo`"),
        ("<!-- run by: tests/test_no.py -->\n```sh\ncat c\n```", "line 2: there is no test tests/test_no.py"),
        ("<!-- run with: a for b -->\n```sh\ncat c\n```", "line 2: the block has no `b`"),
        ("<!-- not run `b`: slow -->\n```sh\ncat c\n```", "line 2: the block has no `b`"),
        ("<!-- not run -->\n```sh\ncat c\n```", "line 2: <!-- not run --> is no mark"),
    ],
)
def test_a_fault_is_named(text: str, fault: str) -> None:
    """With its line."""
    assert list(faults(f"{text}\n")) == [fault]
