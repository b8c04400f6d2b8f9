"""The ownership of cells, drawn as text."""

import pytest

from searcher.engine.position import Position, Ruleset
from searcher.serving.ownership import owners
from tests.searcher.engine.positions import snake


def drawn(position: Position) -> list[str]:
    """Return the rows of owners, the top one first."""
    found = owners(position)
    rows = [found[start : start + position.width] for start in range(0, len(found), position.width)]
    return ["".join(map(str, row)) for row in reversed(rows)]


@pytest.mark.parametrize(
    ("first", "second", "ruleset", "rows"),
    [
        # Equally long snakes share nothing that both reach at the same time.
        ("11 10 00", "31 30 40", "standard", ["11022", "11022", "11022", "11022", "11022"]),
        # The longer snake gets the middle.
        ("11 10 00 01", "31 30 40", "standard", ["11122", "11122", "11122", "11122", "11122"]),
        # Across the seams, the outer columns are near, too.
        ("11 10 00", "31 30 40", "wrapped", ["11022", "11022", "11022", "11022", "11022"]),
    ],
)
def test_a_cell_belongs_to_the_snake_that_reaches_it_first(
    first: str, second: str, ruleset: str, rows: list[str]
) -> None:
    """In the same turn the longest snake has it, or nobody."""
    position = Position(5, 5, (snake("a", first), snake("b", second)), ruleset=Ruleset(ruleset))
    assert drawn(position) == rows


def test_a_body_opens_when_its_parts_have_moved_on() -> None:
    """A snake behind a wall of parts gets out in time, but not where the parts stay."""
    wall = "20 21 22 23 24"
    alone = Position(5, 5, (snake("a", wall),))
    assert drawn(alone) == ["11111"] * 5
    constrictor = Position(5, 5, (snake("a", wall), snake("b", "40 41 42")), ruleset=Ruleset("constrictor"))
    assert drawn(constrictor) == ["11011", "11011", "11010", "11010", "11112"]


def test_a_tail_that_unfolds_stays_longer() -> None:
    """Parts on the tail's cell leave one after another, so a longer snake arrives at the same time."""
    long = snake("a", "10 00 01 11")
    unfolded, folded = (Position(5, 2, (long, snake("b", body))) for body in ("40 30", "40 30 30"))
    assert [drawn(position)[-1] for position in (unfolded, folded)] == ["11122", "11112"]


def test_a_trapped_snake_owns_the_cell_of_its_head() -> None:
    """No other cell is free, because constrictors' bodies stay."""
    coil = snake("a", "02 12 22 21 20 10 00 01")
    assert drawn(Position(4, 3, (coil,), ruleset=Ruleset("constrictor"))) == ["1000", "0000", "0000"]
