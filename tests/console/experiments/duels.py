"""Outcomes of an experiment's duels, as they would be recorded."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

import msgspec

from battlesnake_search.record.outcome import Outcome
from console.experiments.games import Game
from console.experiments.statistics import ERROR, Totals
from tests.console.store.outcome_samples import OUTCOME, outcome_with

GAME = msgspec.convert(msgspec.structs.asdict(OUTCOME), Game, from_attributes=True)
"""The sample outcome as it is read."""

OLDER: dict[str, Any] = dict.fromkeys(("control", "shares", "setup", "searched"))
"""The unknown fields of older outcomes."""

Scores = Mapping[str, Sequence[float]]
"""The scores of an arm's snakes in each of its games, by the game's id."""


def duels(
    experiment: str, arm: str, wins: int, draws: int, losses: int, start: int = 0, **fields: Any
) -> Iterator[Outcome]:
    """Yield the outcomes of an arm's duels against other snakes, with wins, draws and losses interleaved.

    A duel ends in each minute from the `start`. `fields` replace the fields of an older outcome.
    """
    left = {"win": wins, "draw": draws, "loss": losses}
    for number in range(start, start + wins + draws + losses):
        result = max(left, key=lambda name: left[name])
        left[result] -= 1
        known = {
            "game_id": f"{experiment} {arm} {number}",
            "experiment": experiment,
            "arm": arm,
            "strategy": f"paranoid/{arm}",
            "result": result,
            "place": 2 if result == "loss" else 1,
            "ended_at": OUTCOME.ended_at + timedelta(minutes=number),
        }
        yield outcome_with(**(OLDER | known | fields))


def begun(number: float, minutes: float, **fields: Any) -> Game:
    """A game of the arms blue and green in turn, which began in this minute and took so many minutes."""
    began = OUTCOME.ended_at + timedelta(minutes=number)
    known = {
        "game_id": str(number),
        "experiment": "x",
        "arm": ("blue", "green")[int(number) % 2],
        "began_at": began,
        "ended_at": began + timedelta(minutes=minutes),
    }
    return msgspec.structs.replace(GAME, **(OLDER | known | fields))


def totals_of(ones: Scores, others: Scores, error: float = ERROR) -> Totals:
    """Return the totals of two arms' games."""
    totals = Totals(error)
    for arm, games in enumerate((ones, others)):
        for game, scores in games.items():
            for score in scores:
                totals.add(arm, game, score)
    return totals
