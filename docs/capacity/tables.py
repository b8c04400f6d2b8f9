"""The computed rows and sentences of docs/capacity.md, each by the name of its place there.

The words of the page, the heads of tables among them, are in the page. The simulations replace experiments
with autoscalers and lost cells on a cluster of a hundred searchers.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from docs.capacity import load
from docs.capacity.autoscaler import AT_ONCE, CPU, DEMAND, OCCUPANCY, STEPWISE, Plan, Zero
from docs.capacity.cells import (
    FAILED,
    Failed,
    Failure,
    Fault,
    Placed,
    Rollout,
    Stopped,
    at_once,
    canary_then_all,
    doubling,
    drained,
    lowest,
    met_both,
    place,
    reflexes,
    simulate_failure,
    simulate_fault,
)
from docs.capacity.load import MOVE, Depths, Rows, figure
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

CELLS, GAMES_A_CELL = 20, 400
"""The rollouts' cells and their games."""

BEGIN = 120.0
"""The second in which rollouts begin."""

FAILOVERS = {
    0: "connections are refused, and the router asks the next cell",
    3: "the router's health checks, three in three seconds",
    15: "a load balancer's health checks, three in fifteen seconds",
    90: "DNS: half a minute of checks, and a minute until names are asked for again",
}
"""Ways to notice that a cell is lost, by the seconds they take."""

FAULTS = (
    Fault("a quarter of the speed", speed=0.25),
    Fault("one search in 2,000 ends its searcher", crash=1 / 2000),
    Fault("one search in 100,000 ends its searcher", crash=1 / 100_000),
    Fault("two thirds of the speed", speed=2 / 3),
)

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
    by_cells: list[Failed]
    returning: list[Failed]
    by_failover: list[Failed]
    rollouts: list[tuple[Rollout, Placed]]
    stopped: list[Stopped]

    def parts(self, price: float) -> Parts:
        """Return all rows and sentences, for this price of a core-hour."""
        rounds = self.run["rounds"]
        return {
            "measured": load.load_rows(rounds),
            "machine": f"Strategy: {self.run['strategy']}. {self.run['machine']}.",
            "load": load.load_facts(rounds),
            "cost": load.cost_rows(rounds, price),
            "hosted": load.hosted_facts(rounds),
            "million": load.million_rows(rounds, price, self._used()),
            "cell": load.cell_rows(rounds),
            "simulated": [self._cluster(name, price) for name in self.clusters],
            "goal": "\n".join(self._compared(setup.name) for setup in (ON_OCCUPANCY, ON_OCCUPANCY_QUICK)),
            "evening": [self._evening(evening, price) for evening in self.evenings],
            "routing": [_moved(failed) for failed in self.by_cells],
            "failover": [_lost(failed) for failed in self.by_failover],
            "return": [_returned(failed) for failed in self.returning],
            "rollout": [_rolled_out(*rollout) for rollout in self.rollouts],
            "faults": [_stopped(stopped) for stopped in self.stopped],
            "regions": load.region_rows(rounds),
        }

    def _used(self) -> tuple[str, str, float]:
        """Return the tournament on occupancy: name, depth, and core hours for a second of a game."""
        outcome = self.clusters[ON_OCCUPANCY_QUICK.name]
        four = Depths(self.run["rounds"], "four").of(outcome.shares).mean()
        hours = outcome.core_hours / (len(outcome.depths) * MOVE)
        return "as in the tournament below, on occupancy", f"{outcome.depths.mean():.1f} / {four:.1f}", hours

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

    def _compared(self, name: str) -> str:
        """Return how an autoscaler compares with the one on CPU, as a sentence."""
        outcome, cpu = self.clusters[name], self.clusters[ON_CPU.name]
        quick, slow = recovery(self.clusters, name), recovery(self.clusters, ON_CPU.name)
        time = _percent(quick / slow) if quick is not None and slow else "none"
        return (
            f"*{name}* has full depth back in {time} of the time of *{ON_CPU.name}*. It has "
            f"{_percent(outcome.core_hours / cpu.core_hours)} of the cost, and searches "
            f"{outcome.depths.mean() - cpu.depths.mean():.1f} turns more deeply over the whole tournament."
        )

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
    rollouts = [make(CELLS, BEGIN) for make in (at_once, canary_then_all, doubling, drained)]
    placed = [(rollout, place(rollout, GAMES_A_CELL)) for rollout in rollouts]
    return Contents(
        run,
        {setup.name: simulate(setup, games if setup.pods else alone, depths) for setup in SETUPS},
        len(evening),
        [simulate(setup, evening, depths) for setup in EVENINGS],
        [simulate_failure(Failure(cells, failover=0), depths) for cells in (2, 5, 20, 50)],
        [simulate_failure(Failure(failover=0, keeps_pods=keeps), depths) for keeps in (True, False)],
        [simulate_failure(Failure(failover=seconds), depths) for seconds in FAILOVERS],
        placed,
        [simulate_fault(rollout, fault, games, depths) for fault in FAULTS for rollout, games in placed[:3]],
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


def _percent(part: float) -> str:
    return f"{part * 100:.0f} %"


def _moved(failed: Failed) -> list[str]:
    """Return the share of games that move, and the depth in their new cells."""
    run, others = failed.failure, failed.others()
    before = fmean(others[run.fails - 60 : run.fails])
    return [
        str(run.cells),
        _percent(failed.moved),
        _percent(failed.moved_by_modulo),
        f"{before:.1f}",
        f"{lowest(others, run.fails, run.back):.1f}",
        str((others[run.fails : run.back] < before - NEAR).sum()),
    ]


def _lost(failed: Failed) -> list[str]:
    """Return the losses until games go to other cells."""
    run = failed.failure
    part = failed.lost_games / failed.games[FAILED, run.fails - 1]
    lost = f"{failed.lost_moves:,}", f"{failed.lost_games:,}", _percent(part)
    return [FAILOVERS[run.failover], str(run.failover), *lost]


def _returned(failed: Failed) -> list[str]:
    """Return the pods and the depth of a cell when it is back."""
    run, own = failed.failure, failed.depths[FAILED]
    before = fmean(own[run.fails - 60 : run.fails])
    return [
        f"{failed.ready[FAILED, run.back]:.0f} pods",
        f"{lowest(own, run.back, run.until):.1f}",
        str((own[run.back :] < before - NEAR).sum()),
        f"{reflexes(failed):,}",
    ]


def _rolled_out(rollout: Rollout, placed: Placed) -> list[str]:
    """Return the time of a rollout of a good evaluator, and the games that met both evaluators."""
    return [rollout.name, f"{(rollout.end - BEGIN) / 60:.0f} min", f"{met_both(rollout, placed):,}"]


def _stopped(stopped: Stopped) -> list[str]:
    """Return the effects of a bad evaluator in a rollout."""
    noticed, met = (
        (NEVER, "all") if stopped.noticed is None else (f"{stopped.noticed:.0f} s", f"{stopped.met:,}")
    )
    return [stopped.fault.name, stopped.rollout.name, noticed, met, f"{stopped.cut_short:,}"]


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
