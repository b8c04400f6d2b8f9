"""The report on the experiments: the counts of every arm, and the comparison of the arms."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.engine import Row

from estimation.estimate import Estimate
from estimation.ratings import Rating
from gateway.experiments import statistics
from gateway.experiments.ratings import Played, ratings
from gateway.experiments.shadow_summaries import ShadowSummary, summaries
from gateway.outcomes.schema import OUTCOMES
from gateway.outcomes.store import Store

SCORES = {"win": 1.0, "draw": 0.5, "loss": 0.0}

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ArmReport:
    """The results of an arm in the `games` for which it was drawn; its other games are only counted.

    `score` is from 0 to 1; `unknown` counts games without opponents or without a known result, `not_drawn`
    those whose arm was requested or changed. Shadows are compared in all games.
    """

    name: str
    strategies: list[str]
    games: int
    wins: int
    draws: int
    losses: int
    unknown: int
    not_drawn: int
    win_share: Estimate | None
    score: float | None
    rating: Rating | None
    shadows: list[ShadowSummary]


class ArmComparison(msgspec.Struct, frozen=True):
    """The first arm's score minus the second's, and the decision about the difference in words."""

    arms: tuple[str, str]
    difference: Estimate | None
    decision: str = msgspec.field(name="verdict")
    """A sentence; its key in JSON is `verdict`."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment and its arms, sorted by name. Two drawn arms are compared; three or more are rated."""

    name: str
    arms: list[ArmReport]
    comparison: ArmComparison | None


_Rows = Sequence[Row[Any]]

_QUERY = select(
    OUTCOMES.c.experiment,
    OUTCOMES.c.arm,
    OUTCOMES.c.strategy,
    OUTCOMES.c.drawn,
    OUTCOMES.c.game_id,
    OUTCOMES.c.result,
    OUTCOMES.c.place,
    OUTCOMES.c.opponents,
    OUTCOMES.c.shadows,
).order_by(OUTCOMES.c.experiment, OUTCOMES.c.ended_at, OUTCOMES.c.game_id, OUTCOMES.c.snake_id)


async def report(url: str) -> list[Experiment]:
    """Return every experiment with an outcome in the database at this SQLAlchemy URL."""
    async with Store(url) as store:
        rows = await store.rows(_QUERY)
    return [_experiment(name, list(its_rows)) for name, its_rows in groupby(rows, attrgetter("experiment"))]


def _experiment(name: str, rows: _Rows) -> Experiment:
    # Only the draw makes arms comparable: a request that names an arm may depend on the game.
    drawn = [row for row in rows if row.drawn]
    by_arm, drawn_by_arm = _by_arm(rows), _by_arm(drawn)
    rated = ratings(_games(drawn)) if len(drawn_by_arm) > 2 else {}
    arms = [_arm(arm, its_rows, rated.get(arm)) for arm, its_rows in sorted(by_arm.items())]
    return Experiment(name, arms, _comparison(drawn_by_arm) if len(drawn_by_arm) == 2 else None)


def _by_arm(rows: _Rows) -> Mapping[str, _Rows]:
    by_arm: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        by_arm[row.arm].append(row)
    return by_arm


def _arm(name: str, rows: _Rows, rating: Rating | None) -> ArmReport:
    results = [row.result for row in rows if row.drawn]
    wins, draws, losses = (results.count(result) for result in SCORES)
    known = wins + draws + losses
    return ArmReport(
        name=name,
        strategies=sorted({row.strategy for row in rows}),
        games=len(results),
        wins=wins,
        draws=draws,
        losses=losses,
        unknown=len(results) - known,
        not_drawn=len(rows) - len(results),
        win_share=statistics.share(wins, known),
        score=(wins + draws / 2) / known if known else None,
        rating=rating,
        shadows=summaries(row.shadows for row in rows),
    )


def _comparison(by_arm: Mapping[str, _Rows]) -> ArmComparison:
    one, other = sorted(by_arm)
    scores = _scores(by_arm[one]), _scores(by_arm[other])
    better = statistics.decide(*scores)
    decision = f"{one if better > 0 else other} is better" if better else UNDECIDED
    return ArmComparison((one, other), statistics.difference(*scores), decision)


def _scores(rows: _Rows) -> statistics.Scores:
    scores: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.result in SCORES:
            scores[row.game_id].append(SCORES[row.result])
    return scores


def _games(rows: _Rows) -> Iterable[Sequence[Played]]:
    """Return our snakes by game, in the order of the games' ends."""
    games: dict[str, list[Played]] = defaultdict(list)
    for row in rows:
        if row.result in SCORES:
            games[row.game_id].append(Played(row.arm, row.result, row.place, len(row.opponents)))
    return games.values()
