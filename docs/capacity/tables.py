"""The computed rows and sentences of docs/capacity.md, each by the name of its place there.

The words of the page and the heads of its tables are in the page. The simulations replace experiments with
autoscalers on a cluster of twenty searchers.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from docs.capacity import load
from docs.capacity.autoscaler import AT_ONCE, CPU, DEMAND, OCCUPANCY, STEPWISE, Plan, Zero
from docs.capacity.load import Depths, Rows, figure
from docs.capacity.tournament import (
    BIN,
    NEW_MACHINE,
    ROUNDS,
    TOURNAMENT_START,
    Outcome,
    Setup,
    one_after_another,
    simulate,
    tournament,
)

PAGE = Path(__file__).parents[1] / "capacity.md"

NEVER = "–"  # noqa: RUF001
"""The cell of a table for a time that never came."""

NEAR = 0.5
"""Turns by which a cluster may search less deeply than the largest one and still have full depth."""

LASTING = 30
"""Seconds for which full depth must last."""


def _quick_to_remove(plan: Plan) -> Plan:
    """Return an autoscaler that removes pods after two minutes without need for them, not five."""
    return replace(plan, bounds=replace(plan.bounds, window=120))


TO_ZERO = replace(DEMAND, zero=Zero())

LARGEST = Setup("no autoscaler, 20 pods", pods=20)
"""The cluster whose depth counts as full."""

ON_CPU = Setup("CPU, 70 %", CPU)
ON_OCCUPANCY = Setup("occupancy, 1 search a core", OCCUPANCY)
ON_OCCUPANCY_QUICK = Setup("occupancy, pods removed after 2 minutes", _quick_to_remove(OCCUPANCY))
FROM_ZERO = Setup("KEDA, from zero", TO_ZERO, pods=0)

# Each signal with the policy of the other shows the effect of the signal alone.
CPU_AT_ONCE = Setup("CPU, may add 20 pods at once", replace(CPU, bounds=AT_ONCE))
OCCUPANCY_STEPWISE = Setup("occupancy, adds no faster than CPU", replace(OCCUPANCY, bounds=STEPWISE))

SETUPS = (
    ON_CPU,
    Setup("CPU, 50 %", replace(CPU, target=0.5)),
    CPU_AT_ONCE,
    Setup("CPU, pods removed after 2 minutes", _quick_to_remove(CPU)),
    Setup("CPU, connections never end", CPU, age=math.inf),
    ON_OCCUPANCY,
    OCCUPANCY_STEPWISE,
    ON_OCCUPANCY_QUICK,
    Setup("occupancy, 1.5 searches a core", replace(OCCUPANCY, target=1.5)),
    Setup("occupancy, connections never end", OCCUPANCY, age=math.inf),
    Setup("KEDA, 1 search a core", DEMAND),
    FROM_ZERO,
    Setup("CPU, 70 %, new machines", CPU, start=NEW_MACHINE),
    Setup("occupancy, 1 search a core, new machines", OCCUPANCY, start=NEW_MACHINE),
    Setup("KEDA, from zero, new machines", TO_ZERO, pods=0, start=NEW_MACHINE),
    Setup("no autoscaler, 2 pods"),
    LARGEST,
)
"""The clusters of the tournament."""

EVENING = 8 * 3600
"""The length of a quiet evening in seconds."""

GAP = 1800.0
"""Seconds from one game of the evening to the next, on average."""

EVENINGS = (
    Setup("KEDA, never less than 2 pods", DEMAND, until=EVENING),
    Setup("KEDA, to zero and back", TO_ZERO, pods=0, until=EVENING),
    Setup("KEDA, to zero, new machines", TO_ZERO, pods=0, start=NEW_MACHINE, until=EVENING),
)
"""The clusters of the evening."""

Parts = Mapping[str, str | Rows]
"""Rows of tables, and sentences, by the names of their places on the page."""


@dataclass(frozen=True)
class Contents:
    """A load run, and the simulations that follow from it."""

    run: dict[str, Any]
    clusters: dict[str, Outcome]
    evening_games: int
    evenings: list[Outcome]

    def parts(self, price: float) -> Parts:
        """Return all rows and sentences, for this price of a core-hour."""
        rounds = self.run["rounds"]
        return {
            "measured": load.load_rows(rounds),
            "machine": f"Strategy: {self.run['strategy']}. {self.run['machine']}.",
            "load": load.load_facts(rounds),
            "cost": load.cost_rows(rounds, price),
            "hosted": load.hosted_facts(rounds),
            "cell": load.cell_rows(rounds),
            "simulated": [self._cluster(name, price) for name in self.clusters],
            "evening": [self._evening(evening, price) for evening in self.evenings],
            "regions": load.region_rows(rounds),
        }

    def _cluster(self, name: str, price: float) -> list[str]:
        outcome, after = self.clusters[name], recovery(self.clusters, name)
        states = outcome.cluster.states
        ready, working = (max(getattr(state, what) for state in states) for what in ("ready", "working"))
        return [
            name,
            NEVER if after is None else f"{after} s",
            f"{outcome.first_minute:.1f}",
            f"{outcome.depths.mean():.1f}",
            f"{outcome.worst_tenth:.1f}",
            f"{outcome.reflexes:,}",
            # The row names the pods that had a search if there were far more pods.
            f"{ready}, {working} of them search" if working < ready / 2 else str(ready),
            f"{outcome.core_hours:.1f}",
            f"${outcome.core_hours * price:.2f}",
        ]

    def _evening(self, evening: Outcome, price: float) -> list[str]:
        """Return the row of a cluster on a quiet evening, for a whole day of such hours."""
        days, hours = 24 * 3600 / EVENING, evening.core_hours
        return [
            evening.cluster.setup.name,
            f"{self.evening_games * days:.0f}",
            f"{hours * days:.0f}",
            f"${figure(hours * days * price)}",
            f"{evening.depths.mean():.1f}",
            f"{evening.reflexes / self.evening_games:.1f}",
        ]


def compute() -> Contents:
    """Run all simulations."""
    run = load.read_run()
    depths = Depths(run["rounds"])
    # If pods start from zero, no other games may be in play.
    games, alone = tournament(), tournament(others=0)
    evening = list(one_after_another(GAP, EVENING))
    return Contents(
        run,
        {setup.name: simulate(setup, games if setup.pods else alone, depths) for setup in SETUPS},
        len(evening),
        [simulate(setup, evening, depths) for setup in EVENINGS],
    )


def recovery(outcomes: dict[str, Outcome], name: str) -> int | None:
    """Return after how many seconds of the first round a cluster has full depth again.

    Full depth is the depth of the largest cluster in the same rounds, minus NEAR turns. It has to last for
    LASTING seconds, and the steps are BIN. None if nine tenths of the round's games are over before.
    """
    ends = sorted(game.end for game in tournament(ROUNDS[:1], others=0))
    until = ends[math.ceil(0.9 * len(ends)) - 1]
    is_near = outcomes[name].means() >= outcomes[LARGEST.name].means() - NEAR
    for first in range(int(TOURNAMENT_START) // BIN, int(until) // BIN):
        if is_near[first : first + LASTING // BIN].all():
            return first * BIN - int(TOURNAMENT_START)
    return None


def filled(page: str, parts: Parts) -> str:
    """Return the page with these parts between their marks, and the heads of tables as they are."""
    for name, part in parts.items():
        places = list(re.finditer(rf"^<!-- {name} -->\n(.*?)^<!-- end -->$", page, re.DOTALL | re.MULTILINE))
        if len(places) != 1:
            raise ValueError(f"the page has {len(places)} places for {name} instead of one")
        lines = [part]
        if not isinstance(part, str):
            lines = [*places[0][1].splitlines()[:2], *(f"| {' | '.join(row)} |" for row in part)]
        text = "".join(f"{line}\n" for line in lines)
        page = page[: places[0].start(1)] + text + page[places[0].end(1) :]
    return page
