"""What the outcomes say of each experiment: counts of every arm, and how the arms compare."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import select
from sqlalchemy.engine import Row

from estimation.estimate import Estimate
from estimation.ratings import Rating
from gateway.experiments import statistics
from gateway.experiments.ratings import Played, ratings
from gateway.experiments.shadows import ShadowSummary, summaries
from gateway.outcomes.schema import OUTCOMES
from gateway.outcomes.store import Store

SCORES = {"win": 1.0, "draw": 0.5, "loss": 0.0}

UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm's results in the `games` that chance gave it; those that it got otherwise are only counted.

    `score` is from 0 to 1; `unknown` counts games without opponents or known result, `not_drawn` those whose
    arm was asked for or changed. Shadows are compared in all games.
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two arms: by how much the first one's score is above the second one's. `verdict` is a sentence."""

    arms: tuple[str, str]
    difference: Estimate | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Experiment:
    """Its arms by name. Those that chance gave a game are compared if they are two, and rated if more."""

    name: str
    arms: list[Arm]
    comparison: Comparison | None


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
    """Every experiment with an outcome in the database at this SQLAlchemy URL."""
    async with Store(url) as store:
        rows = await store.rows(_QUERY)
    return [_experiment(name, list(of_it)) for name, of_it in groupby(rows, attrgetter("experiment"))]


def _experiment(name: str, rows: _Rows) -> Experiment:
    # Only chance makes arms comparable: whoever asks for an arm has a reason.
    drawn = [row for row in rows if row.drawn]
    by_arm, drawn_by_arm = _by_arm(rows), _by_arm(drawn)
    rated = ratings(_games(drawn)) if len(drawn_by_arm) > 2 else {}
    arms = [_arm(arm, of_it, rated.get(arm)) for arm, of_it in sorted(by_arm.items())]
    return Experiment(name, arms, _comparison(drawn_by_arm) if len(drawn_by_arm) == 2 else None)


def _by_arm(rows: _Rows) -> Mapping[str, _Rows]:
    by_arm: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        by_arm[row.arm].append(row)
    return by_arm


def _arm(name: str, rows: _Rows, rating: Rating | None) -> Arm:
    results = [row.result for row in rows if row.drawn]
    wins, draws, losses = (results.count(result) for result in SCORES)
    known = wins + draws + losses
    return Arm(
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


def _comparison(by_arm: Mapping[str, _Rows]) -> Comparison:
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
