"""Outcomes of an experiment, as they would be recorded."""

from collections.abc import Iterator
from datetime import timedelta

from gateway.outcomes.record import Outcome
from tests.gateway.outcomes.endings import SOME, some


def duels(experiment: str, arm: str, wins: int, draws: int, losses: int) -> Iterator[Outcome]:
    """So many duels of an arm against strangers, the results taking turns as far as they go."""
    left = {"win": wins, "draw": draws, "loss": losses}
    for number in range(wins + draws + losses):
        result = max(left, key=lambda name: left[name])
        left[result] -= 1
        yield some(
            game_id=f"{experiment} {arm} {number}",
            experiment=experiment,
            arm=arm,
            strategy=f"paranoid/{arm}",
            result=result,
            place=2 if result == "loss" else 1,
            ended_at=SOME.ended_at + timedelta(minutes=number),
        )
