"""The marks before blocks of code: every block for a shell is run by a test, or its page says why not."""

import pytest

from tests.docs.blocks import HOW_TO_MARK, faults
from tests.docs.pages import ROOT, every_page


@pytest.mark.parametrize("page", every_page())
def test_every_block_of_a_page_runs_or_says_why_not(page: str) -> None:
    """No block has a command that the test does not run, and no mark is wrong, unused or misplaced."""
    found = list(faults((ROOT / page).read_text()))
    assert not found, f"{page}: " + "\n".join([*found, "", HOW_TO_MARK])
