"""The clusters that are compared."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from docs.capacity.measured import Depths
from docs.capacity.scaling.autoscaler import AT_ONCE, CPU, DEMAND, OCCUPANCY, STEPWISE, Plan, Zero
from docs.capacity.tournament.cluster import NEW_MACHINE, Cluster, Setup
from docs.capacity.tournament.games import Game, one_after_another, tournament
from docs.capacity.tournament.outcome import Outcome, outcome_of


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

CPU_AT_ONCE = Setup("CPU, may add 20 pods at once", replace(CPU, bounds=AT_ONCE))
OCCUPANCY_STEPWISE = Setup("occupancy, adds no faster than CPU", replace(OCCUPANCY, bounds=STEPWISE))
"""Each signal with the policy of the other: they show what is due to the signal alone."""
CPU_FOREVER = Setup("CPU, connections never end", CPU, age=math.inf)

SETUPS = (
    ON_CPU,
    Setup("CPU, 50 %", replace(CPU, target=0.5)),
    CPU_AT_ONCE,
    Setup("CPU, pods removed after 2 minutes", _quick_to_remove(CPU)),
    CPU_FOREVER,
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

HOURS = 8
"""The length of a quiet evening."""

GAP = 1800.0
"""Seconds from one game of the evening to the next, on average."""

EVENINGS = (
    Setup("KEDA, never less than 2 pods", DEMAND, until=HOURS * 3600),
    Setup("KEDA, to zero and back", TO_ZERO, pods=0, until=HOURS * 3600),
    Setup("KEDA, to zero, new machines", TO_ZERO, pods=0, start=NEW_MACHINE, until=HOURS * 3600),
)
"""The clusters of the evening."""


@dataclass(frozen=True)
class Simulated:
    """What all clusters did, and the games of the tournament."""

    games: Sequence[Game]
    outcomes: dict[str, Outcome]
    evenings: Sequence[Outcome]
    evening_games: int


def simulate_all(depths: Depths) -> Simulated:
    """Simulate the tournament and the evening."""
    games, evening = tournament(), list(one_after_another(GAP, HOURS * 3600))
    # Where pods come from zero, nobody else may play.
    alone = tournament(others=0)
    outcomes = {setup.name: simulate(setup, games if setup.pods else alone, depths) for setup in SETUPS}
    evenings = [simulate(setup, evening, depths) for setup in EVENINGS]
    return Simulated(games, outcomes, evenings, len(evening))


def simulate(setup: Setup, games: Sequence[Game], depths: Depths) -> Outcome:
    """Return what a cluster does in some games."""
    cluster = Cluster(setup, games)
    cluster.run()
    return outcome_of(cluster, depths)
