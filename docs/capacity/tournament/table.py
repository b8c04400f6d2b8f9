"""The tables of the tournament and the evening, and what they show."""

from docs.capacity.page import NEVER, figure, percent, table
from docs.capacity.scaling.autoscaler import CPU, DEMAND, OCCUPANCY, Plan
from docs.capacity.scaling.replicas import SYNC, Policy
from docs.capacity.tournament.cluster import CONNECTION_AGE, NEW_MACHINE, START, Setup
from docs.capacity.tournament.games import BREAK, ROUND_SPREAD, ROUNDS, first_round_ends
from docs.capacity.tournament.outcome import BIN, LASTING, NEAR, Outcome, full_depth_after
from docs.capacity.tournament.setups import (
    GAP,
    HOURS,
    LARGEST,
    ON_CPU,
    ON_OCCUPANCY,
    ON_OCCUPANCY_QUICK,
    TO_ZERO,
    Simulated,
)


def setting() -> str:
    """Return what is simulated, as sentences."""
    first, second, *rest = ROUNDS
    setup, bounds = Setup(""), OCCUPANCY.bounds
    sentences = (
        f"{first} games begin within {ROUND_SPREAD:.0f} s.",
        f"When the last of them is over, a break of {BREAK:.0f} s follows, then a round of {second} games,",
        f"and so on with {' and '.join(map(str, rest))}. Four more games always run, but not where",
        "pods begin at zero.",
        f"There are {bounds.least} to {bounds.most} pods of {setup.cores} cores. They get work {START:.0f} s",
        f"after they are requested, or {NEW_MACHINE:.0f} s where a new machine has to start first.",
        f"{setup.gateways} gateways spread moves over the pods that they know, and ask for new ones whenever",
        f"a connection ends, after {CONNECTION_AGE:.0f} s. Autoscalers decide every {SYNC:.0f} s.",
    )
    return " ".join(sentences)


def definition() -> str:
    """Return what the column about full depth means, as a sentence."""
    return (
        f"Full depth is back when moves are searched within {NEAR} turns of the largest cluster's depth "
        f"in the same rounds. The depth is an average over {BIN} s and has to last for {LASTING} s. The time "
        f"counts from the beginning of the first round. {NEVER} means not before nine tenths of its games "
        "were over."
    )


def plans_table() -> str:
    """Return the table of the autoscalers."""
    head = (
        "autoscaler",
        "measures",
        "target for a core",
        "read every",
        "averaged over",
        "adds in 15 s",
        "removes after",
    )
    named = {"CPU": CPU, "occupancy": OCCUPANCY, "KEDA": DEMAND}
    return table(head, (_plan_row(name, plan) for name, plan in named.items()))


def _plan_row(name: str, plan: Plan) -> list[str]:
    return [
        name,
        plan.signal.value,
        f"{plan.target:g}",
        f"{plan.interval:g} s",
        f"{plan.window:g} s",
        _most(plan.bounds.up[0]),
        f"{plan.bounds.window:g} s",
    ]


def _most(policy: Policy) -> str:
    parts = [f"{policy.pods} pods"] + ([f"{policy.percent} %"] if policy.percent else [])
    return " or ".join(parts)


def evening_setting() -> str:
    """Return what is simulated of the evening, as sentences."""
    zero = TO_ZERO.zero
    assert zero
    return (
        f"On an evening of {HOURS} hours a game begins every {GAP / 60:.0f} minutes, on average. The scaler "
        f"calls its gateways active until {zero.quiet:.0f} s after the last game. KEDA removes all pods "
        f"{zero.cooldown:.0f} s later."
    )


def tournament_table(simulated: Simulated, price: float) -> str:
    """Return the table of the clusters in the tournament."""
    head = (
        "cluster",
        "full depth after",
        "depth, first minute",
        "overall",
        "worst tenth",
        "reflexes",
        "most pods",
        "core hours",
        "cost",
    )
    return table(head, (_row(outcome, simulated, price) for outcome in simulated.outcomes.values()))


def _row(outcome: Outcome, simulated: Simulated, price: float) -> list[str]:
    after = recovery(outcome.name, simulated)
    return [
        outcome.name,
        NEVER if after is None else f"{after} s",
        f"{outcome.first_minute:.1f}",
        f"{outcome.depths.mean():.1f}",
        f"{outcome.worst_tenth:.1f}",
        f"{outcome.reflexes:,}",
        _pods(outcome),
        f"{outcome.core_hours:.1f}",
        f"${outcome.core_hours * price:.2f}",
    ]


def _pods(outcome: Outcome) -> str:
    """Return the most pods at once, and how many of them ever had a search if that is far fewer."""
    states = outcome.cluster.states
    ready, working = (max(getattr(state, name) for state in states) for name in ("ready", "working"))
    return f"{ready}, {working} of them search" if working < ready / 2 else str(ready)


def recovery(name: str, simulated: Simulated) -> int | None:
    """Return after how many seconds a cluster has full depth."""
    outcomes = simulated.outcomes
    return full_depth_after(outcomes[name], outcomes[LARGEST.name], first_round_ends(simulated.games))


def goal(simulated: Simulated) -> str:
    """Return how the autoscalers on occupancy compare with that on CPU, as sentences."""
    cpu = simulated.outcomes[ON_CPU.name]
    slow = recovery(ON_CPU.name, simulated)
    sentences = []
    for setup in (ON_OCCUPANCY, ON_OCCUPANCY_QUICK):
        outcome, quick = simulated.outcomes[setup.name], recovery(setup.name, simulated)
        time = percent(quick / slow) if quick is not None and slow else "none"
        sentences.append(
            f"*{setup.name}* has full depth back in {time} of the time of *{cpu.name}*. It has "
            f"{percent(outcome.core_hours / cpu.core_hours)} of the cost, and searches "
            f"{outcome.depths.mean() - cpu.depths.mean():.1f} turns more deeply over the whole tournament."
        )
    return "\n".join(sentences)


def evening_table(simulated: Simulated, price: float) -> str:
    """Return the table of the clusters on a quiet evening, for a whole day of such hours."""
    head = ("cluster", "games a day", "core hours a day", "cost a day", "mean depth", "reflexes a game")
    days = 24 / HOURS
    return table(
        head,
        (
            [
                evening.name,
                f"{simulated.evening_games * days:.0f}",
                f"{evening.core_hours * days:.0f}",
                f"${figure(evening.core_hours * days * price)}",
                f"{evening.depths.mean():.1f}",
                f"{evening.reflexes / simulated.evening_games:.1f}",
            ]
            for evening in simulated.evenings
        ),
    )
