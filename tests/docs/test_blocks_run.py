"""The commands of the pages run as they stand there, page by page."""

from pathlib import Path

import pytest

from tests.docs.blocks import HOW_TO_MARK, Block, blocks
from tests.docs.checkout import make_checkout
from tests.docs.pages import ROOT, every_page
from tests.docs.terminal import CommandError, Terminal


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
    checkout, home = tmp_path / "checkout", tmp_path / "home"
    checkout.mkdir()
    home.mkdir()
    make_checkout(checkout)
    with Terminal(checkout, home) as terminal:
        for block in steps(page):
            try:
                follow(block, terminal)
            except CommandError as error:
                pytest.fail(f"{page}:{block.line}: {error}\n\n{HOW_TO_MARK}", pytrace=False)


def follow(block: Block, terminal: Terminal) -> None:
    """Do what a block says."""
    if block.file:
        path = terminal.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.code)
        return
    pending = ""
    for command in block.commands():
        if command.port is None:
            pending += command.code
            continue
        terminal.run(pending)
        pending = ""
        terminal.serve(command.code, command.port)
    if pending:
        terminal.run(pending)
