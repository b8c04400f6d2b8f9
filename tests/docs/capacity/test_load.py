"""What follows from the load run without a simulation."""

import pytest

from docs.capacity.load import (
    ROUND_TRIPS,
    Depths,
    Round,
    cell_rows,
    cores_for_a_game,
    cost_rows,
    figure,
    gateways_for,
    hosted_facts,
    is_first_in_time,
    load_facts,
    read_run,
    region_rows,
    search_time,
    span,
)

MEASURED: list[Round] = [
    {
        "games a core": games,
        "moves/s": 2.0 * games,
        "depth duel": 16.0 - step,
        "depth four": 10.0 - step,
        "gateway ms a move": 5.0,
        "searcher cores": 0.8,
        "reflex": 0.0,
    }
    for step, games in enumerate((1, 2, 4, 8))
]


def test_the_measured_rounds_grow() -> None:
    """The measured figures are the rounds of one load run, from 1 game to 64, of a strategy with a name."""
    run = read_run()
    assert [each["games a core"] for each in run["rounds"]] == [1, 2, 4, 8, 16, 32, 64]
    pace = [each["moves/s"] for each in run["rounds"]]
    assert pace == sorted(pace)
    assert run["strategy"].startswith("`")


def test_depths_are_interpolated() -> None:
    """Depth is linear in the logarithm of core time; outside the measured range it stays constant."""
    depths = Depths(MEASURED)
    assert depths.of([1, 0.4, 0.2, 0.2 / 2**0.5, 0.05, 0.01]) == pytest.approx([16, 16, 15, 14.5, 13, 13])


def test_without_a_search_there_is_no_depth() -> None:
    """A share that a searcher refuses is a reflex."""
    assert Depths(MEASURED).of([0, 0.004]).tolist() == [0, 0]


def test_the_cores_of_a_game() -> None:
    """One game of four takes a quarter of a core; two moves a second of 5 ms take a hundredth of another."""
    assert cores_for_a_game(MEASURED[2]) == pytest.approx((0.25, 0.01))


def test_what_games_cost() -> None:
    """An hour of a game costs its share of two cores."""
    costs = cost_rows(MEASURED, 0.1)[2]
    assert costs[-3:] == ["250 + 10 cores, $26", "250,000 + 10,000 cores, $26,000", "$0.0013"]


def test_where_requests_are_billed_a_game_pays_for_its_searches() -> None:
    """Searches of 0.4 s, twice a second, are 80 % of the time."""
    facts = hosted_facts(MEASURED)
    assert "keeps an instance busy for 80 % of the time" in facts
    assert f"${3600 * 0.8 * 0.0000265:.3f} on Cloud Run" in facts


def test_what_doubling_the_games_costs() -> None:
    """Steps are shown from the smallest to the largest, and the first reflexes where they are."""
    facts = load_facts(MEASURED)
    assert "costs 1.0 turns of depth in a duel" in facts
    assert "No move was a reflex" in facts
    rounds = [*MEASURED[:3], dict(MEASURED[3]) | {"reflex": 1.0, "depth duel": 11.5}]
    facts = load_facts(rounds)
    assert "1.0 to 2.5 turns" in facts
    assert "The first reflexes appear at 8 games" in facts


def test_a_cell_has_two_hundred_cores() -> None:
    """Its games, gateways and connections follow from the games on a core."""
    assert cell_rows(MEASURED)[3] == ["8", "1,600", "32", "3,200", "8.9", "13"]
    assert gateways_for(1, MEASURED[0]) == 1


def test_distance_costs_time() -> None:
    """Every millisecond of the way is one less for the search, and the first move from far away is late."""
    assert search_time(0) - search_time(90) == pytest.approx(90)
    assert is_first_in_time(25)
    assert not is_first_in_time(90)
    rows = region_rows(MEASURED)
    assert [row[0] for row in rows] == list(ROUND_TRIPS)
    depths = [float(row[3]) for row in rows]
    assert depths == sorted(depths, reverse=True)
    assert rows[-1][-1] == "late"


def test_figures() -> None:
    """Small figures have two digits, large ones all before the point."""
    assert [figure(value) for value in (0, 0.0123, 1.26, 12.6, 1234.6)] == [
        "0",
        "0.012",
        "1.3",
        "13",
        "1,235",
    ]
    assert (span([2, 1]), span([1, 1.01])) == ("1.0 to 2.0", "1.0")
