"""The commands of the pages run as they stand there, page by page."""

import shutil
from itertools import groupby
from pathlib import Path

import pytest

from tests.docs.blocks import HOW_TO_MARK, PROGRAMS, Block, blocks, programs
from tests.docs.pages import ROOT, every_page
from tests.docs.terminal import CommandError, Terminal, make_checkout
from tests.support.dependencies import report_missing


def steps(page: str) -> list[Block]:
    """Return the blocks of a page that are files or have commands to run, if it has such commands."""
    found = [
        block
        for block in blocks((ROOT / page).read_text())
        if block.file or (block.is_shell and any(block.commands()))
    ]
    return found if any(block.is_shell for block in found) else []


@pytest.mark.parametrize("page", [page for page in every_page() if steps(page)])
def test_the_commands_of_a_page_run(page: str, compiled: None, tmp_path: Path) -> None:
    """One after another in a clean checkout, each ends without an error or serves at the port named."""
    require(page)
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    checkout.mkdir()
    home.mkdir()
    make_checkout(checkout)
    line = 0
    try:
        with Terminal(checkout, home) as terminal:
            for block in steps(page):
                line = block.line
                follow(block, terminal)
            terminal.end_all()
    except CommandError as error:
        pytest.fail(f"{page}:{line}: {error}\n\n{HOW_TO_MARK}", pytrace=False)


def require(page: str) -> None:
    """Skip the test, or fail it in CI, if a program is missing that the page needs."""
    for block in steps(page):
        for command in block.commands() if block.is_shell else ():
            for program in programs(command.code):
                if (package := PROGRAMS.get(program)) and not shutil.which(program):
                    report_missing(program, package)


def follow(block: Block, terminal: Terminal) -> None:
    """Do what a block says. Raises CommandError if a command fails."""
    if block.file:
        path = terminal.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code)
        return
    for serves, group in groupby(block.commands(), lambda command: command.serves):
        if serves is None:
            terminal.run("".join(command.code for command in group))
            continue
        for command in group:
            port, slash, path_ = serves.partition("/")
            terminal.serve(command.code, port, slash + path_)
