"""The figures of docs/capacity.md follow from the measurements."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.capacity.__main__ import main
from docs.capacity.load import ROUND_TRIPS, Depths, core_seconds, search_time
from docs.capacity.pictures import draw
from docs.capacity.tables import (
    CPU_AT_ONCE,
    FROM_ZERO,
    OCCUPANCY_STEPWISE,
    ON_CPU,
    ON_OCCUPANCY,
    ON_OCCUPANCY_QUICK,
    PAGE,
    Contents,
    compute,
    filled,
    recovery,
)
from docs.capacity.tournament import MEAN_GAME, TOURNAMENT_START

PRICE = 0.04


@pytest.fixture(scope="module")
def contents() -> Contents:
    """Return all that the page has, computed anew."""
    return compute()


def test_the_page_is_current(contents: Contents) -> None:
    """All tables and sentences that are computed from docs/load.json are on the page."""
    page = PAGE.read_text()
    assert filled(page, contents.parts(PRICE)) == page


def test_every_mark_of_the_page_is_filled(contents: Contents) -> None:
    """The page has no mark that nothing is computed for."""
    marks = re.findall(r"^<!-- (\w+) -->$", PAGE.read_text(), re.MULTILINE)
    assert set(marks) - {"end"} == set(contents.parts(PRICE))


def test_the_pictures_are_current(contents: Contents, tmp_path: Path) -> None:
    """The pictures are as they are drawn today."""
    draw(contents, tmp_path)
    drawn = sorted(tmp_path.iterdir())
    assert [file.name for file in drawn] == ["autoscaler.svg", "depth.svg"]
    # Another version of the library draws the same in other words.
    for file in drawn:
        assert _labels(file) == _labels(PAGE.parent / "images" / file.name)


def _labels(picture: Path) -> list[str]:
    return re.findall(r">([^<>]*[a-z][^<>]*)</text>", picture.read_text())


def test_occupancy_is_twice_as_quick_as_cpu_at_no_more_cost(contents: Contents) -> None:
    """Full depth is back in half the time, and the pods cost no more; so it is with KEDA."""
    outcomes = contents.clusters
    cpu = recovery(contents.clusters, ON_CPU.name)
    assert cpu
    for name in (ON_OCCUPANCY_QUICK.name, FROM_ZERO.name):
        quick = recovery(contents.clusters, name)
        assert quick
        assert quick <= cpu / 2
        assert outcomes[name].core_hours <= outcomes[ON_CPU.name].core_hours
    assert outcomes[ON_OCCUPANCY.name].depths.mean() > outcomes[ON_CPU.name].depths.mean()


def test_the_signal_makes_the_difference_and_not_the_policy(contents: Contents) -> None:
    """CPU is no faster with occupancy's policy; occupancy with CPU's is slower, but twice as quick as CPU."""
    names = (ON_OCCUPANCY, OCCUPANCY_STEPWISE, ON_CPU, CPU_AT_ONCE)
    quick, stepwise, slow, at_once = (recovery(contents.clusters, setup.name) for setup in names)
    assert quick
    assert stepwise
    assert slow
    assert quick < stepwise <= slow / 2
    assert at_once == slow


@pytest.mark.parametrize(
    ("name", "decision"), [("occupancy, 1 search a core", 2), ("KEDA, 1 search a core", 1)]
)
def test_the_decision_that_asks_for_all_pods(contents: Contents, name: str, decision: int) -> None:
    """On occupancy it is the second after the burst, by KEDA the first."""
    states = contents.clusters[name].cluster.states
    requests = [state.requested for state in states if state.at > TOURNAMENT_START]
    changes = [after for before, after in pairwise(requests) if after > before]
    assert changes.index(20) + 1 == decision


def test_new_machines_from_zero_cost_half_of_a_game(contents: Contents) -> None:
    """The last reflex comes about half of an average game after the first round begins."""
    outcome = contents.clusters["KEDA, from zero, new machines"]
    last = outcome.at[outcome.shares == 0].max() - TOURNAMENT_START
    assert 0.4 < last / MEAN_GAME < 0.6


def test_what_the_page_says_of_the_clusters(contents: Contents) -> None:
    """New pods without work are paid for, new machines come late, and reflexes happen from zero alone."""
    outcomes = contents.clusters
    idle = outcomes["occupancy, connections never end"]
    assert max(state.working for state in idle.cluster.states) == 2
    assert idle.core_hours > outcomes["no autoscaler, 2 pods"].core_hours
    stopped = outcomes["CPU, connections never end"]
    assert max(state.ready for state in stopped.cluster.states) == 3
    late = recovery(contents.clusters, "occupancy, 1 search a core, new machines")
    soon = recovery(contents.clusters, ON_OCCUPANCY.name)
    assert late
    assert soon
    assert late > soon + 50
    with_reflexes = {name for name, outcome in outcomes.items() if outcome.reflexes}
    assert with_reflexes == {name for name in outcomes if "zero" in name}


def test_an_ocean_costs_less_than_a_second_game(contents: Contents) -> None:
    """Across the Pacific one game on a core is searched more deeply than two nearby."""
    first, second, *_ = contents.run["rounds"]
    part = search_time(ROUND_TRIPS["across the Pacific"]) / search_time(0)
    for kind in ("duel", "four"):
        far = Depths(contents.run["rounds"], kind).of(core_seconds(first) * part)
        assert far > second[f"depth {kind}"]


def test_the_command_shows_the_page(monkeypatch: pytest.MonkeyPatch, contents: Contents) -> None:
    """Without --write the command prints the page; a price changes it."""
    monkeypatch.setattr("docs.capacity.tables.compute", lambda: contents)
    page, runner = PAGE.read_text(), CliRunner()
    assert runner.invoke(main).output == f"{page}\n"
    assert runner.invoke(main, ["--price", "0.08"]).output == f"{filled(page, contents.parts(0.08))}\n"


def test_a_part_replaces_the_old_one() -> None:
    """Only the text between the marks of a part changes, and of a table the rows."""
    page = "a\n<!-- one -->\nold\n<!-- end -->\nb\n<!-- two -->\n<!-- end -->\n"
    page = filled(page, {"one": "new", "two": r"| \2 |"})
    assert page == "a\n<!-- one -->\nnew\n<!-- end -->\nb\n<!-- two -->\n| \\2 |\n<!-- end -->\n"
    page = "<!-- one -->\n| a | b |\n| --- | --- |\n| 1 | 2 |\n<!-- end -->\n"
    assert filled(page, {"one": [["3", "4"], ["5", "6"]]}) == page.replace(
        "| 1 | 2 |", "| 3 | 4 |\n| 5 | 6 |"
    )
    with pytest.raises(ValueError, match="three"):
        filled(page, {"three": ""})
