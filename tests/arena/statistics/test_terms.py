"""The meanings of the terms of statistics."""

import pytest

from arena.statistics.terms import TERMS, comparison_terms, glossary, p_value_text, term_lines


@pytest.mark.parametrize(
    ("pairs", "test", "terms"),
    [
        (False, False, ["Elo", "LOS"]),
        (True, False, ["pairs", "Elo", "LOS"]),
        (False, True, ["Elo", "LOS", "SPRT", "LLR"]),
    ],
)
def test_only_terms_that_are_shown_are_explained(pairs: bool, test: bool, terms: list[str]) -> None:
    """Counts of pairs and sequential tests have terms of their own."""
    assert comparison_terms(pairs, test) == terms


def test_each_term_fits_a_terminal() -> None:
    """Phrases stand in a column of their own, also where they continue."""
    lines = term_lines(TERMS).splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) > len(TERMS)
    starts = [line for line in lines if not line.startswith(" " * 18)]
    assert [line[2:16].strip() for line in starts] == list(TERMS)
    assert all(line[16:18] == "  " and line[18] != " " for line in lines)


def test_a_glossary_names_the_page_with_the_formulas() -> None:
    """Its lines follow a heading."""
    heading, *lines = glossary(["Elo", "LOS"]).splitlines()
    assert heading == "Terms (formulas: docs/arena-statistics.md):"
    assert "\n".join(lines) == term_lines(["Elo", "LOS"])


@pytest.mark.parametrize(("value", "text"), [(0.05, "0.050"), (0.001, "0.001"), (0.00099, "< 0.001")])
def test_a_p_value_is_never_0(value: float, text: str) -> None:
    """Small ones are told by a bound."""
    assert p_value_text(value) == text
