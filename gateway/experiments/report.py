"""What the outcomes say of each experiment: counts of every arm, and how the arms compare."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Row

from gateway.experiments import statistics
from gateway.experiments.ratings import Played, Rating, ratings
from gateway.experiments.statistics import Estimate
from gateway.outcomes.schema import OUTCOMES
from gateway.outcomes.store import Store

SCORES = {"win": 1.0, "draw": 0.5, "loss": 0.0}

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm's results. `score` is from 0 to 1; `unknown` counts games without opponents or known result."""

    name: str
    strategies: list[str]
    games: int
    wins: int
    draws: int
    losses: int
    unknown: int
    win_share: Estimate | None
    score: float | None
    rating: Rating | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms: by how much the first one's score is above the second one's. `verdict` is a sentence."""

    arms: tuple[str, str]
    difference: Estimate | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """Its arms by name; they are compared if there are two, and rated if there are more."""

    name: str
    arms: list[Arm]
    comparison: Comparison | None


_Rows = Sequence[Row[Any]]

_QUERY = (
    select(
        OUTCOMES.c.experiment,
        OUTCOMES.c.arm,
        OUTCOMES.c.strategy,
        OUTCOMES.c.game_id,
        OUTCOMES.c.result,
        OUTCOMES.c.place,
        OUTCOMES.c.opponents,
    )
    # Only chance makes arms comparable: whoever asks for an arm has a reason.
    .where(OUTCOMES.c.drawn)
    .order_by(OUTCOMES.c.experiment, OUTCOMES.c.ended_at, OUTCOMES.c.game_id, OUTCOMES.c.snake_id)
)


async def report(url: str) -> list[Experiment]:
    """Every experiment with an outcome of a drawn arm in the database at this SQLAlchemy URL."""
    async with Store(url) as store:
        rows = await store.rows(_QUERY)
    return [_experiment(name, list(of_it)) for name, of_it in groupby(rows, attrgetter("experiment"))]


def _experiment(name: str, rows: _Rows) -> Experiment:
    by_arm: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        by_arm[row.arm].append(row)
    rated = ratings(_games(rows)) if len(by_arm) > 2 else {}
    arms = [_arm(arm, of_it, rated.get(arm)) for arm, of_it in sorted(by_arm.items())]
    return Experiment(name, arms, _comparison(by_arm) if len(by_arm) == 2 else None)


def _arm(name: str, rows: _Rows, rating: Rating | None) -> Arm:
    results = [row.result for row in rows]
    wins, draws, losses = (results.count(result) for result in SCORES)
    known = wins + draws + losses
    return Arm(
        name=name,
        strategies=sorted({row.strategy for row in rows}),
        games=len(rows),
        wins=wins,
        draws=draws,
        losses=losses,
        unknown=len(rows) - known,
        win_share=statistics.share(wins, known),
        score=(wins + draws / 2) / known if known else None,
        rating=rating,
    )


def _comparison(by_arm: dict[str, list[Row[Any]]]) -> Comparison:
    one, other = sorted(by_arm)
    scores = _scores(by_arm[one]), _scores(by_arm[other])
    lead = statistics.leader(*scores)
    verdict = f"{one if lead > 0 else other} is better" if lead else UNDECIDED
    return Comparison((one, other), statistics.difference(*scores), verdict)


def _scores(rows: _Rows) -> statistics.Scores:
    scores: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.result in SCORES:
            scores[row.game_id].append(SCORES[row.result])
    return scores


def _games(rows: _Rows) -> Iterable[Sequence[Played]]:
    """Our snakes by game, in the order of the games' ends."""
    games: dict[str, list[Played]] = defaultdict(list)
    for row in rows:
        if row.result in SCORES:
            games[row.game_id].append(Played(row.arm, row.result, row.place, len(row.opponents)))
    return games.values()
