"""Made-up experiments in a real database, and a console that serves them."""

import asyncio
import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from aiohttp import web

from battlesnake_search.record.outcome import Outcome, ShadowRecord, StrategyRecord
from console.store.database import OutcomesDatabase
from console.store.store import Store
from console.web import experiments
from console.web.games import DATABASE
from console.web.port import PAGES
from console.web.replies import readable_errors
from tests.console.store.outcome_samples import outcome_with

_WEIGHTS = {"area": 0.31, "food": 0.24, "hunger": 0.45}


def games(
    experiment: str, chances: dict[str, float], number: int, ended: datetime | None = None, seed: int = 1
) -> Iterator[Outcome]:
    """Yield the outcomes of a number of games, one every ten minutes; the last of them has just ended.

    `chances` are the probabilities of a win, by arm; the first arm is the control. A game goes to any of
    them with the same probability. One in twelve is drawn.
    """
    rng, ended = random.Random(seed), ended or datetime.now(UTC)
    shares = {arm: 1 / len(chances) for arm in chances}
    for index in range(number):
        arm = rng.choice(list(chances))
        draw, win = rng.random() < 1 / 12, rng.random() < chances[arm]
        turns, place = rng.randrange(60, 400), list(chances).index(arm)
        yield outcome_with(
            game_id=f"{experiment} {index}",
            experiment=experiment,
            arm=arm,
            strategy=f"crowd/{arm}",
            result="draw" if draw else "win" if win else "loss",
            place=1 if win or draw else 2,
            turns=turns,
            moves=turns,
            moves_searched=turns - 1,
            moves_best_so_far=turns // 20,
            died_late=rng.random() < 0.01,
            timeouts=int(rng.random() < 0.02),
            mean_depth=rng.gauss(9.5 + place, 1.2),
            mean_latency_ms=rng.gauss(431 - 12 * place, 9),
            control=next(iter(chances)),
            shares=shares,
            setup=arm,
            searched={f"crowd/{arm}": StrategyRecord(_WEIGHTS, f"{place}f2a9c1b")},
            shadows={"next": _shadow(rng, turns)} if arm == next(iter(chances)) else {},
            ended_at=ended - timedelta(minutes=10 * (number - 1 - index)),
        )


def _shadow(rng: random.Random, turns: int) -> ShadowRecord:
    depths: dict[str, Any] = {"mean_depth": rng.gauss(8, 1), "played_mean_depth": rng.gauss(9.5, 1)}
    scores = {"mean_score": rng.gauss(0.1, 0.1), "played_mean_score": rng.gauss(0.1, 0.1)}
    return ShadowRecord("crowd/next", turns, int(turns * rng.uniform(0.6, 0.9)), **depths, **scores)


def fill(database: OutcomesDatabase, *outcomes: Outcome) -> None:
    """Create a database, and store outcomes in it."""

    async def store() -> None:
        async with Store(database.url) as opened:
            await opened.prepare()
            if outcomes:
                await opened.add(outcomes)

    asyncio.run(store())


def serve_experiments(served: web.Application, outcomes: OutcomesDatabase) -> None:
    """Add the paths of the experiments to an application."""
    served[DATABASE], served[experiments.REPORTING] = outcomes, asyncio.Lock()
    served.add_routes(experiments.HANDLERS)
    served.middlewares.append(readable_errors(PAGES / "missing.html"))
