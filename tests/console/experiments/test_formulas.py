"""The formulas of docs/outcomes.md, computed as a reader would, against the numbers of the command."""

import json
import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from math import exp, lgamma, log, sqrt
from pathlib import Path
from typing import Any

import pytest

from console.commands.main import main
from tests.console.conftest import Recorded
from tests.console.experiments.duels import duels
from tests.support.commands import called

DOCS = Path(__file__).parents[3] / "docs"
Z, TAU = 1.959964, 0.1

Results = tuple[int, int, int]
"""The wins, draws and losses of an arm."""


def _score(results: Results) -> float:
    wins, draws, _ = results
    return (wins + draws / 2) / sum(results)


def _win_share(results: Results) -> tuple[float, float, float]:
    n, p = sum(results), results[0] / sum(results)
    middle, half = p + Z**2 / (2 * n), Z * sqrt(p * (1 - p) / n + Z**2 / (4 * n**2))
    return p, (middle - half) / (1 + Z**2 / n), (middle + half) / (1 + Z**2 / n)


def _variance(*arms: Results) -> float:
    total = 0.0
    for wins, draws, losses in arms:
        s, n = _score((wins, draws, losses)), wins + draws + losses
        total += (wins * (1 - s) ** 2 + draws * (0.5 - s) ** 2 + losses * s**2 + 0.5) / n**2
    return total


def _half_length(variance: float, challengers: int = 1) -> float:
    alpha = 0.05 / challengers
    return sqrt(variance * (variance + TAU**2) / TAU**2 * log((variance + TAU**2) / (variance * alpha**2)))


def _difference(one: Results, other: Results, challengers: int = 1) -> tuple[float, float, float]:
    value, half = _score(one) - _score(other), _half_length(_variance(one, other), challengers)
    return value, max(-1.0, value - half), min(1.0, value + half)


def _games_missing(one: Results, other: Results) -> int:
    n, variance = sum(one) + sum(other), _variance(one, other)
    distance = abs(_score(one) - _score(other))
    for missing in range(20_000):
        growth = 1 + missing / n
        if min(sum(one), sum(other)) * growth >= 30 and _half_length(variance / growth) < distance:
            return missing
    raise AssertionError("no decision is in sight")


def _sample_ratio(games: Mapping[str, int], shares: Mapping[str, float]) -> float:
    n = sum(games.values())
    evidence = lgamma(20) - lgamma(20 + n)
    for arm, share in shares.items():
        evidence += lgamma(20 * share + games[arm]) - lgamma(20 * share) - games[arm] * log(share)
    return min(1.0, exp(-evidence))


def _rounded(value: float, digits: int = 0) -> str:
    return str(Decimal(value).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP))


CASES = [
    ((52, 6, 62), (88, 5, 37)),
    ((1, 0, 39), (53, 0, 7)),
    ((30, 3, 20), (25, 7, 21)),
    ((7, 0, 0), (3, 1, 9)),
    ((37, 0, 3), (20, 0, 20)),
    ((40, 0, 0), (40, 0, 0)),
]


SHARES = {"challenger": 0.25, "champion": 0.75}


def _command(file: Path, *options: str) -> str:
    return called(main, "experiments", "--outcomes", file, *options).stdout


def _reported(recorded: Recorded, folder: Path) -> tuple[list[Any], str]:
    """Return the experiments of CASES as JSON, and the text about all of them."""
    recorded(
        [
            game
            for number, case in enumerate(CASES)
            for arm, results in zip(SHARES, case, strict=True)
            for game in duels(f"x{number}", arm, *results, control="champion", shares=SHARES)
        ]
    )
    file = folder / "outcomes.sqlite"
    return json.loads(_command(file, "--json"))["experiments"], " ".join(_command(file).split())


def test_the_formulas_give_the_reported_numbers(recorded: Recorded, tmp_path: Path) -> None:
    """A reader who has only the results computes each number of the report, and its rounding."""
    experiments, text = _reported(recorded, tmp_path)
    for experiment, (one, other) in zip(experiments, CASES, strict=True):
        for arm, results in zip(experiment["arms"], (one, other), strict=True):
            share = arm["win_share"]
            found = share["value"], share["low"], share["high"]
            assert found == pytest.approx(_win_share(results), abs=1e-6)
            assert arm["score"] == pytest.approx(_score(results))
            value, low, high = (_rounded(each, 3) for each in _win_share(results))
            assert f"{value} ({low} to {high}) {_rounded(_score(results), 3)}" in text
        comparison, expected = experiment["comparison"], _difference(one, other)
        found = tuple(comparison["difference"][name] for name in ("value", "low", "high"))
        assert found == pytest.approx(expected)
        excludes = expected[1] > 0 or expected[2] < 0
        is_decided = excludes and min(sum(one), sum(other)) >= 30
        assert (comparison["verdict"] != "undecided") == is_decided
        assert not is_decided or _sentence(one, other) in text
        if _score(one) != _score(other):
            assert comparison["games_missing"] == _games_missing(one, other)
        games = dict(zip(SHARES, (sum(one), sum(other)), strict=True))
        assert experiment["sample_ratio"]["p"] == pytest.approx(_sample_ratio(games, SHARES))


def _sentence(one: Results, other: Results) -> str:
    """Return the end of the sentence about a decided difference."""
    value, low, high = (100 * each for each in _difference(one, other))
    least, most = sorted((abs(low), abs(high)))
    kind = "more" if value > 0 else "fewer"
    return f"it wins about {_rounded(abs(value))} {kind} (between {_rounded(least)} and {_rounded(most)})."


ROW = re.compile(
    r"^ (\w+) +\d+ +(\d+)/(\d+)/(\d+) .*?(0\.\d{3}) \((0\.\d{3}) to (0\.\d{3})\) +(0\.\d{3})$", re.M
)


@pytest.mark.parametrize("page", ["outcomes.md", "start/experiment.md"])
def test_the_examples_of_the_pages_follow_their_formulas(page: str) -> None:
    """The tables and the sentences of the pages have the numbers that their counts give."""
    text = (DOCS / page).read_text()
    rows = {
        name: ((int(wins), int(draws), int(losses)), shown)
        for name, wins, draws, losses, *shown in ROW.findall(text)
    }
    assert len(rows) == 2
    for results, shown in rows.values():
        assert shown == [*(_rounded(each, 3) for each in _win_share(results)), _rounded(_score(results), 3)]
    [[challenger, control]] = re.findall(r"^(\w+) is (?:worse|better) than (\w+), the control", text, re.M)
    assert _sentence(rows[challenger][0], rows[control][0]) in " ".join(text.split())


def test_the_example_of_a_mismatch_follows_its_formula() -> None:
    """The page has the games of two arms, the expected ones and p."""
    text = (DOCS / "outcomes.md").read_text()
    [[total, *numbers, p]] = re.findall(
        r"of (\d+) games \w+ has (\d+) games instead of about (\d+), \w+ has (\d+) games instead of about "
        r"(\d+)\n\(p = (\S+)\)",
        text,
    )
    ones, expected, others, rest = map(int, numbers)
    shares = {"ones": 0.2, "others": 0.8}
    assert [_rounded(int(total) * share) for share in shares.values()] == [str(expected), str(rest)]
    assert f"{_sample_ratio({'ones': ones, 'others': others}, shares):.1g}" == p
