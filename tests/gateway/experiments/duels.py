"""Outcomes of an experiment's duels, as they would be recorded."""

from collections.abc import Iterator
from datetime import timedelta

from gateway.outcomes.record import Outcome
from tests.gateway.outcomes.samples import OUTCOME, outcome_with


def duels(experiment: str, arm: str, wins: int, draws: int, losses: int) -> Iterator[Outcome]:
    """Yield the outcomes of an arm's duels against strangers, with wins, draws and losses interleaved."""
    left = {"win": wins, "draw": draws, "loss": losses}
    for number in range(wins + draws + losses):
        result = max(left, key=lambda name: left[name])
        left[result] -= 1
        yield outcome_with(
            game_id=f"{experiment} {arm} {number}",
            experiment=experiment,
            arm=arm,
            strategy=f"paranoid/{arm}",
            result=result,
            place=2 if result == "loss" else 1,
            ended_at=OUTCOME.ended_at + timedelta(minutes=number),
        )
