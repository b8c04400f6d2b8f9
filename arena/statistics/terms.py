"""The terms of statistics, for readers who meet them for the first time, and the format of counts."""

import textwrap
from collections.abc import Iterable, Mapping

TERMS = {
    "p-value": "chance of points this far from the average, or farther, if all were equally strong",
    "points": "share of the snakes met that the snake outlived; a death in the same turn counts half",
    "won": "games in which the snake was the last one alive",
    "false despair": "moves that claim a proven loss, but the snake lived on for more than 25 turns",
    "pairs": "two games with swapped starts: LL lost both, WL/DD one point of two, WW won both",
    "Elo": "lead of the first entrant: +100 means 64 % of the points; ± is a 95 % interval",
    "LOS": "likelihood of superiority: the probability that the first entrant is stronger",
    "SPRT": "sequential test: ends as soon as the results decide between two differences in Elo",
    "LLR": "log-likelihood ratio: its upper bound accepts the larger difference, the lower one rejects it",
}
"""A phrase for each term. docs/arena-statistics.md has the formulas."""

MISSING = "\N{EN DASH}"
"""The text of a figure without reports."""

_PAGE = "docs/arena-statistics.md"

_COLUMNS = 80
"""The columns of a line, as many as most terminals have."""

_SMALLEST_P_VALUE = 0.001


def comparison_terms(pairs: bool, test: bool) -> list[str]:
    """Return the terms of a comparison.

    `pairs`: the comparison has counts of pairs. `test`: it has a sequential test.
    """
    return [*["pairs"] * pairs, "Elo", "LOS", *["SPRT", "LLR"] * test]


def glossary(names: Iterable[str], phrases: Mapping[str, str] = TERMS) -> str:
    """Return lines that explain these terms, under a heading that names the page with the formulas."""
    return f"Terms (formulas: {_PAGE}):\n{term_lines(names, phrases)}"


def term_lines(names: Iterable[str], phrases: Mapping[str, str] = TERMS) -> str:
    """Return lines that explain these terms."""
    return "\n".join(
        textwrap.fill(phrases[name], _COLUMNS, initial_indent=f"  {name:<14}  ", subsequent_indent=" " * 18)
        for name in names
    )


def p_value_text(value: float) -> str:
    """Return a p-value with three decimals, never rounded to 0."""
    return f"{value:.3f}" if value >= _SMALLEST_P_VALUE else f"< {_SMALLEST_P_VALUE}"
