"""The tables about cells, and the simulations behind them."""

from dataclasses import dataclass
from statistics import fmean

from docs.capacity.cells.failure import (
    FAILED,
    Failed,
    Failure,
    lowest,
    reflexes,
    seconds_below,
    simulate_failure,
)
from docs.capacity.cells.faults import CRASHES, DROP, WINDOW, Fault, Stopped, simulate_fault
from docs.capacity.cells.rollout import (
    BATCHES,
    ROLL,
    Placed,
    Rollout,
    at_once,
    canary_then_all,
    doubling,
    drained,
    met_both,
    place,
)
from docs.capacity.measured import Depths
from docs.capacity.page import NEVER, percent, table
from docs.capacity.tournament.outcome import NEAR

CELLS, GAMES_A_CELL, TARGET = 20, 400, 2.0
"""The rollouts' cells, their games, and searches for each core."""

BEGIN = 120.0
"""The second in which rollouts begin."""

NUMBERS = (2, 5, 20, 50)
"""Numbers of cells of which one fails."""

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


@dataclass(frozen=True)
class Simulated:
    """What all simulations of cells found."""

    by_cells: list[Failed]
    returning: list[Failed]
    by_failover: list[Failed]
    rollouts: list[tuple[Rollout, Placed]]
    stopped: list[Stopped]


def simulate_cells(depths: Depths) -> Simulated:
    """Simulate failing cells and rollouts."""
    rollouts = [make(CELLS, BEGIN) for make in (at_once, canary_then_all, doubling, drained)]
    placed = [(rollout, place(rollout, CELLS, GAMES_A_CELL)) for rollout in rollouts]
    return Simulated(
        [simulate_failure(Failure(cells, failover=0), depths) for cells in NUMBERS],
        [simulate_failure(Failure(failover=0, keeps_pods=keeps), depths) for keeps in (True, False)],
        [simulate_failure(Failure(failover=seconds), depths) for seconds in FAILOVERS],
        placed,
        [
            simulate_fault(rollout, fault, games, CELLS, TARGET, depths)
            for fault in FAULTS
            for rollout, games in placed[:3]
        ],
    )


def setting() -> str:
    """Return what is simulated of failing cells, as sentences."""
    failure = Failure()
    return (
        f"Each cell has about {failure.games_a_cell} games, and an autoscaler that keeps a core for every "
        f"{failure.target:g} searches. One cell is out of reach for "
        f"{(failure.back - failure.fails) / 60:.0f} minutes."
    )


def checks() -> str:
    """Return how rollouts go and are stopped, as sentences."""
    return (
        f"{CELLS} cells have {GAMES_A_CELL} games each. The searchers of a cell are replaced in {BATCHES} "
        f"parts within {ROLL:.0f} s. The rollout stops and goes back if new searchers "
        f"search {DROP:g} turn less deeply than the others over {WINDOW} s. It also does if {CRASHES} of "
        f"them have ended within {WINDOW} s."
    )


def routing_table(simulated: Simulated) -> str:
    """Return the table of how many games move, and what their new cells notice."""
    head = (
        "cells",
        "games that move",
        "games that would, by the remainder of a division",
        "depth before",
        "lowest depth of the other cells",
        f"seconds more than {NEAR} turns below",
    )
    rows = []
    for each in simulated.by_cells:
        run, others = each.failure, each.others()
        before = fmean(others[run.fails - 60 : run.fails])
        rows.append(
            [
                str(run.cells),
                percent(each.moved),
                percent(each.moved_by_modulo),
                f"{before:.1f}",
                f"{lowest(others, run.fails, run.back):.1f}",
                str(seconds_below(others, before - NEAR, run.fails, run.back)),
            ]
        )
    return table(head, rows)


def failover_table(simulated: Simulated) -> str:
    """Return the table of what is lost until games go to other cells."""
    head = ("noticed by", "seconds", "lost moves", "lost games", "of the cell's games at once")
    return table(
        head,
        (
            [
                FAILOVERS[each.failure.failover],
                str(each.failure.failover),
                f"{each.lost_moves:,}",
                f"{each.lost_games:,}",
                percent(each.lost_games / each.cell_games),
            ]
            for each in simulated.by_failover
        ),
    )


def return_table(simulated: Simulated) -> str:
    """Return the table of what the games of a cell find when it is back."""
    head = (
        "the cell comes back with",
        "lowest depth of its games",
        f"seconds more than {NEAR} turns below",
        "reflexes",
    )
    rows = []
    for each in simulated.returning:
        run, own = each.failure, each.depths[FAILED]
        before = fmean(own[run.fails - 60 : run.fails])
        rows.append(
            [
                f"{each.ready[FAILED, run.back]:.0f} pods",
                f"{lowest(own, run.back, run.until):.1f}",
                str(seconds_below(own, before - NEAR, run.back, run.until)),
                f"{reflexes(each):,}",
            ]
        )
    return table(head, rows)


def rollout_table(simulated: Simulated) -> str:
    """Return the table of rollouts of a good evaluator."""
    head = ("rollout", "takes", "games that met both evaluators")
    rows = (
        [
            rollout.name,
            f"{(rollout.end - BEGIN) / 60:.0f} min",
            f"{met_both(placed, rollout.starts(CELLS)):,}",
        ]
        for rollout, placed in simulated.rollouts
    )
    return table(head, rows)


def fault_table(simulated: Simulated) -> str:
    """Return the table of rollouts of a bad evaluator."""
    head = (
        "the new evaluator has",
        "rollout",
        "stopped after",
        "games that met it",
        "searches that it ended",
    )
    rows = (
        [
            each.fault.name,
            each.rollout.name,
            NEVER if each.noticed is None else f"{each.noticed:.0f} s",
            f"{each.met:,}" if each.noticed is not None else "all",
            f"{each.cut_short:,}",
        ]
        for each in simulated.stopped
    )
    return table(head, rows)
