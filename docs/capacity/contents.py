"""All that is computed for the page: simulations once, and every table and sentence of them by its mark."""

from dataclasses import dataclass

from docs.capacity import costs, regions, sizes
from docs.capacity.cells import table as of_cells
from docs.capacity.measured import MOVE, Depths, Run
from docs.capacity.tournament import setups
from docs.capacity.tournament import table as of_tournament


@dataclass(frozen=True)
class Contents:
    """A load run, and the simulations that follow from it."""

    run: Run
    tournament: setups.Simulated
    cells: of_cells.Simulated

    def parts(self, price: float) -> dict[str, str]:
        """Return the tables and sentences of the page by their marks, for this price of a core-hour."""
        rounds = self.run.rounds
        return {
            "measured": costs.load_table(self.run),
            "load": costs.load_facts(rounds),
            "cost": costs.cost_table(rounds, price),
            "hosted": costs.hosted_facts(rounds),
            "million": costs.million_table(rounds, price, self._used()),
            "cell": sizes.cell_table(rounds),
            "tournament": of_tournament.setting(),
            "plans": of_tournament.plans_table(),
            "definition": of_tournament.definition(),
            "simulated": of_tournament.tournament_table(self.tournament, price),
            "goal": of_tournament.goal(self.tournament),
            "quiet": of_tournament.evening_setting(),
            "evening": of_tournament.evening_table(self.tournament, price),
            "cells": of_cells.setting(),
            "routing": of_cells.routing_table(self.cells),
            "failover": of_cells.failover_table(self.cells),
            "return": of_cells.return_table(self.cells),
            "checks": of_cells.checks(),
            "rollout": of_cells.rollout_table(self.cells),
            "faults": of_cells.fault_table(self.cells),
            "regions": regions.region_table(rounds),
        }

    def _used(self) -> tuple[str, str, float]:
        """Return the tournament on occupancy: name, depth, and core hours for a second of a game."""
        outcome = self.tournament.outcomes[setups.ON_OCCUPANCY_QUICK.name]
        four = Depths(self.run.rounds, "four").of(outcome.shares).mean()
        seconds = len(outcome.depths) * MOVE
        depth = f"{outcome.depths.mean():.1f} / {four:.1f}"
        return "as in the tournament below, on occupancy", depth, outcome.core_hours / seconds


def compute(run: Run) -> Contents:
    """Run all simulations."""
    depths = Depths(run.rounds)
    return Contents(run, setups.simulate_all(depths), of_cells.simulate_cells(depths))
