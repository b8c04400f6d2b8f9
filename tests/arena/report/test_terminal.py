"""The page's tables on a terminal."""

import re

from rich.console import RenderableType

from arena.commands.tables import printed_tables, terms_of
from arena.records import Block, Setup
from arena.report.findings import results
from battlesnake_search.common.console import Console
from tests.arena.matches.made_games import duel, standing_of
from tests.arena.setups import setup_of


def printed(rendered: RenderableType, columns: int = 130) -> str:
    """The text on a terminal of some columns."""
    console = Console(width=columns, highlight=False)
    with console.capture() as shown:
        console.print(rendered)
    return shown.get()


def text_of(setup: Setup, *blocks: Block, columns: int = 130) -> str:
    """The results of a match and their terms."""
    tables = results(standing_of(setup, *blocks))
    return "".join(printed(part, columns) for part in (*printed_tables(tables), terms_of(tables)))


def row_of(text: str, name: str) -> list[str]:
    """The cells of the first row of this name, which are at least two spaces apart."""
    rows = [re.split(r" {2,}", line.rstrip()) for line in text.splitlines()]
    return next(row for row in rows if row[0] == name)


def test_a_match_before_its_first_block() -> None:
    """Before the first block there is no error, and no bound of Elo."""
    text = text_of(setup_of("paranoid/area", "paranoid/length"))
    assert row_of(text, "Games that count")[1] == "0 in 0 blocks"
    assert "(no bounds yet)" in row_of(text, "Elo")[1]


def test_terms_are_explained() -> None:
    """The terms of all tables follow them, each once."""
    text = text_of(setup_of("paranoid/area", "paranoid/length"), duel(1, 0))
    for term in ("pairs", "Elo", "LOS", "Won", "False despair"):
        assert len(re.findall(rf"^  {term}  ", text, re.MULTILINE)) == 1


def test_a_name_is_not_markup() -> None:
    """Brackets in a name are not markup, and a long name loses no character on 80 columns."""
    long = "http://localhost:8000/a/long/path/of/a/snake"
    setup = setup_of("paranoid/area,name=[red]one", f"paranoid/length,name={long}")
    text = text_of(setup, duel(1, 0), columns=80)
    assert "[red]one against" in text and "…" not in text
    assert all(len(line) <= 80 for line in text.splitlines())
