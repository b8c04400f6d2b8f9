"""Arms whose moves were reflexes: no experiment judges them by their results."""

import asyncio
import random
from collections.abc import Iterable, Iterator
from io import StringIO

import msgspec
import pytest
from rich.console import Console

from battlesnake_search.record.outcome import Outcome
from console.experiments import tables
from console.experiments.games import Game
from console.experiments.report import Experiment, experiments_of, report
from tests.console.conftest import Recorded
from tests.console.experiments.duels import GAME
from tests.console.store.outcome_samples import OUTCOME, outcome_with

HALVES = {"champion": 0.5, "faulty": 0.5}
MOVES = 100


def _outcomes(seed: int, games: int, searched: float, wins: float = 0.0) -> Iterator[Outcome]:
    """Yield the outcomes of two arms. All moves of the champion were searched, and a share of the other's."""
    rng = random.Random(seed)
    for number in range(games):
        arm = rng.choice(list(HALVES))
        share, chance = (1.0, 0.8) if arm == "champion" else (searched, wins)
        found = sum(rng.random() < share for _ in range(MOVES))
        yield outcome_with(
            game_id=f"{seed} {number}",
            experiment="x",
            arm=arm,
            control="champion",
            shares=HALVES,
            setup=arm,
            result="win" if rng.random() < chance else "loss",
            moves=MOVES,
            moves_searched=found,
            moves_best_so_far=found // 10,
            moves_stand_in=0,
            moves_failed=max(0, MOVES - found - 1),
            mean_depth=8.0 if found else None,
            searched={},
            shadows={},
        )


def _experiment(outcomes: Iterable[Outcome]) -> Experiment:
    games = [msgspec.convert(msgspec.structs.asdict(one), Game, from_attributes=True) for one in outcomes]
    [experiment] = experiments_of(games, [], OUTCOME.ended_at)
    return experiment


def outcome_before(outcome: Outcome) -> Outcome:
    """Return an outcome as an older gateway records it: without the sources of its moves."""
    unknown = dict.fromkeys(("moves_searched", "moves_best_so_far", "moves_stand_in", "moves_failed"))
    return msgspec.structs.replace(outcome, **unknown)


@pytest.mark.parametrize("searched", [0.0, 0.05, 0.4, 0.7])
def test_an_arm_that_is_not_searched_is_judged_in_no_experiment(searched: float) -> None:
    """In twenty experiments, the arm that loses by its reflexes is never called worse."""
    for seed in range(20):
        experiment = _experiment(_outcomes(seed, 200, searched))
        comparison = experiment.comparison
        assert comparison is not None and comparison.decision == "undecided"
        assert comparison.difference is None and not comparison.history and comparison.still_needed
        assert comparison.summary.endswith("are not compared: too few moves of faulty were searched.")
        champion, faulty = experiment.arms
        assert faulty.warning.startswith("WARNING: ") and not champion.warning
        assert faulty.searched_share == pytest.approx(searched, abs=0.05)
        # The draw itself works.
        assert experiment.sample_ratio is not None and not experiment.sample_ratio.mismatch


def test_a_repaired_arm_is_judged_again_without_its_games_of_reflexes() -> None:
    """Its former games stay uncounted. Thirty searched games are needed, and then the result decides.

    A few reflexes keep no arm from its judgement.
    """
    broken = list(_outcomes(1, 200, 0.0))
    repaired = [msgspec.structs.replace(one, game_id=f"x {one.game_id}") for one in _outcomes(2, 300, 0.95)]
    counted = [one for one in repaired if one.arm == "faulty"]
    for games in (20, 60, 300):
        experiment = _experiment([*broken, *repaired[:games]])
        searched = sum(one.arm == "faulty" for one in repaired[:games])
        comparison, faulty = experiment.comparison, experiment.arms[1]
        assert comparison is not None and faulty.games == searched
        assert faulty.not_searched == sum(one.arm == "faulty" for one in broken)
        is_judged = searched >= 24
        assert bool(faulty.warning) != is_judged and (comparison.difference is not None) == is_judged
    assert comparison is not None
    assert comparison.decision == "champion is better" and comparison.games[0] == len(counted)


def test_an_arm_of_a_stand_in_is_told() -> None:
    """Its games are not drawn, and the warning names the searcher that compiles."""
    bridged = [
        msgspec.structs.replace(one, drawn=False, moves_stand_in=one.moves, moves_failed=0)
        if one.arm == "faulty"
        else one
        for one in _outcomes(3, 100, 1.0)
    ]
    experiment = _experiment(bridged)
    champion, faulty = experiment.arms
    assert not experiment.comparisons and faulty.games == 0 and not champion.warning
    assert "another strategy stood in while the searcher compiled" in faulty.warning
    assert faulty.sources.stand_in == faulty.moves == faulty.sources.moves


def test_the_sources_of_moves_add_up() -> None:
    """Each move has one source. Older rows do not tell theirs, and count in no share."""
    outcomes = list(_outcomes(1, 100, 0.9))
    for arm in _experiment([*outcomes, *map(outcome_before, _outcomes(2, 20, 0.9))]).arms:
        found = arm.sources
        its = [one for one in outcomes if one.arm == arm.name]
        assert found.moves == sum(one.moves for one in its) < arm.moves
        assert found.full_search + found.best_so_far == sum(one.moves_searched or 0 for one in its)
        assert found.full_search + found.best_so_far + found.reflex + found.stand_in == found.moves
        assert found.failed_calls == sum(one.moves_failed or 0 for one in its)


@pytest.fixture
def faulty(recorded: Recorded) -> list[Experiment]:
    """The report on an experiment with an arm that was not searched, from a database."""
    return asyncio.run(report(recorded(_outcomes(1, 120, 0.0))))


def test_every_format_says_why_and_how_many(faulty: list[Experiment]) -> None:
    """The terminal and the report have the number of games and the share, and the reason once."""
    number = faulty[0].arms[1].not_searched
    reason = (
        "100 % of 3,000 moves of arm faulty were not searched, in its last 30 games: for 2,970, a call of "
        "its searcher failed. Is its searcher reachable, and does it know the strategy?"
    )
    console = Console(file=StringIO(), width=200, record=True)
    tables.show(faulty, console)
    text = " ".join(console.export_text().split())
    assert "not searched" in text and str(number) in text and f"WARNING: {reason}" in text
    assert text.count(reason) == 1
    assert "not compared" in text and "is worse" not in text
    arm, comparison = faulty[0].arms[1], faulty[0].comparison
    assert (arm.not_searched, arm.searched_share, arm.games) == (number, 0.0, 0)
    assert comparison and reason in arm.warning and reason not in comparison.summary


def test_other_arms_are_compared_beside_an_arm_of_reflexes() -> None:
    """The other challenger keeps its comparison."""
    arms = ("champion", "faulty", "third")
    games = [
        msgspec.structs.replace(
            GAME,
            game_id=str(number),
            experiment="x",
            arm=arms[number % 3],
            control="champion",
            shares=dict.fromkeys(arms, 1 / 3),
            result="loss" if number % 2 else "win",
            moves_searched=0 if number % 3 == 1 else GAME.moves,
            setup=arms[number % 3],
            searched={},
        )
        for number in range(300)
    ]
    [experiment] = experiments_of(games, [], OUTCOME.ended_at)
    by_arm = {one.arms[0]: one for one in experiment.comparisons}
    assert by_arm["faulty"].difference is None and by_arm["third"].difference is not None
