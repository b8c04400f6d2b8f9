"""The command that computes statistics from counts."""

import re

import pytest
from click.testing import CliRunner, Result

from arena.commands.sprt import sprt


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(sprt, arguments)


def test_pairs() -> None:
    """Five counts are pairs of games: the values are fastchess's (EloPentanomial 1)."""
    result = run("34", "54", "63", "64", "75")
    assert result.exit_code == 0
    results, _, terms = result.output.partition("\n\n")
    lines = dict(line.split(maxsplit=1) for line in results.splitlines())
    assert lines["pairs"] == "34 LL, 54 LD, 63 WL/DD, 64 WD, 75 WW; 57.9% of the points"
    assert lines["Elo"] == "+55.58 ± 27.65"
    assert lines["LOS"] == "100.00%"
    assert lines["LLR"].endswith("(-2.94, 2.94)")
    assert lines["decision"] == "accepted (Elo 0 against 20)"
    for term in ("pairs", "Elo", "LOS", "SPRT", "LLR"):
        assert f"\n  {term} " in terms


def test_expectations() -> None:
    """The expected length is printed for both hypotheses, for their mean and for the present results."""
    result = run("159", "2189", "5303", "2189", "159", "--elo1", "10")
    expected = [line for line in result.output.splitlines() if line.startswith("expected")]
    assert [line.rpartition("if ")[2] for line in expected] == [
        "Elo is 0",
        "Elo is 5",
        "Elo is 10",
        "results go on like this",
    ]
    # Simulated by others: 1,806 games, 95 % accepted.
    assert re.fullmatch(r"expected +1,8\d\d games, 95\.\d% accepted, if Elo is 10", expected[2])


@pytest.mark.parametrize(
    "counts",
    ["0 0 0", "0 0 0 0 0", "9 0 0", "0 9 0", "0 0 9", "0 0 0 0 9", "0 0 1 0 0", "0 0 90000 0 0", "9 0 0 0 0"],
)
def test_extremes_end(counts: str) -> None:
    """No games, one pair, all wins, all draws and all losses are printed without infinity or nan."""
    result = run(*counts.split())
    assert result.exit_code == 0
    assert not re.search(r"\b(nan|inf)\b", result.output)
    assert "-0.00" not in result.output
    assert ("go on like this" in result.output) is (set(counts.split()) != {"0"})


@pytest.mark.parametrize(
    "counts", ["", "1 2", "1 2 3 4", "1 2 3 4 5 6", "1 -2 3", "1 2.5 3", "1 x 3", "1 ² 3"]
)
def test_wrong_counts(counts: str) -> None:
    """Anything but 3 or 5 whole numbers is rejected with what is valid and what was given."""
    result = run(*counts.split())
    assert result.exit_code == 2
    error = " ".join(result.output.split())
    assert "3 counts (wins, draws, losses) or 5" in error
    assert error.endswith(f"not {counts or 'nothing'}")
