"""Every input from outside has a bound: the page states that of the code, and one step more is not taken."""

import pytest

from tests.docs.bounds import PROBES, TESTED, Bound, rows
from tests.docs.probes import admin_port, database, log, public_port, record_port, searcher_port
from tests.support.logs import capture_logs

ROWS = rows()

PROBED = (admin_port, database, log, public_port, record_port, searcher_port)
"""The modules that have filled PROBES."""


def _name(row: Bound) -> str:
    return f"{row.module}.{row.name}"


@pytest.mark.parametrize("row", ROWS, ids=_name)
def test_the_page_states_the_bound_of_the_code(row: Bound) -> None:
    """A changed constant changes the page."""
    assert row.stated == row.value, row.text


def test_every_row_is_tried() -> None:
    """A row without a test of the step beyond it is a promise that nobody keeps."""
    assert sorted(map(_name, ROWS)) == sorted([*PROBES, *TESTED])


@pytest.mark.parametrize("row", [row for row in ROWS if _name(row) in PROBES], ids=_name)
async def test_one_step_more_is_not_taken(row: Bound) -> None:
    """The effect beyond the bound, by the page."""
    with capture_logs():
        await PROBES[_name(row)](row.value)
