"""The report in sentences: what the comparisons and the series of an experiment mean."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from battlesnake_search.common.estimation import Estimate
from gateway.experiments.comparison import UNDECIDED, ArmComparison
from gateway.experiments.report import ArmReport, Experiment, SeriesReport
from gateway.experiments.words import rounded

_SHOWN_DIGITS = 8
"""The digits of a digest that a person needs to tell it from others."""


def comparisons(experiment: Experiment) -> Iterator[str]:
    """Yield a sentence for each comparison with the control."""
    for one in experiment.comparisons:
        if one.difference is not None:
            parts = (_decision(one, one.difference), _games(experiment, one), _outlook(one))
            yield "; ".join(filter(None, parts))


def _decision(comparison: ArmComparison, difference: Estimate) -> str:
    challenger, control = comparison.arms
    interval = f"{difference.value:+.3f} ({difference.low:+.3f} to {difference.high:+.3f})"
    if comparison.decision == UNDECIDED:
        return f"{challenger} less {control} (the control): {interval}; {UNDECIDED}"
    word = "better" if difference.value > 0 else "worse"
    return f"{challenger} is {word} than {control} (the control) by {interval}"


def _games(experiment: Experiment, comparison: ArmComparison) -> str:
    """Return the compared games; empty if they are all that the arms have."""
    known = sum(arm.games - arm.unknown for arm in experiment.arms if arm.name in comparison.arms)
    ones, others = comparison.games
    return (
        f"over the {ones} and {others} games since the last change, each counted once for an arm"
        if ones + others < known
        else ""
    )


def _outlook(comparison: ArmComparison) -> str:
    """Return how many games a decision will take; empty if there is one."""
    missing = comparison.games_missing
    if missing is None:
        return "at this difference a decision is not in sight"
    return f"about {rounded(missing)} games more until a decision if this goes on" if missing else ""


def exclusions(experiment: Experiment) -> Iterator[str]:
    """Yield an explanation of each kind of games that an experiment has and does not count."""
    if any(arm.not_seen for arm in experiment.arms):
        yield (
            "not seen: the gateways missed the first turn of these games, or more than half of the moves, "
            "so the result may not be the arm's own"
        )
    if any(arm.unfinished for arm in experiment.arms):
        yield "unfinished: no end of these games has arrived, so they have no result"


def players(experiment: Experiment) -> Iterator[str]:
    """Yield what each arm and each shadow plays."""
    for arm in experiment.arms:
        yield from _strategies(arm)
        yield from (_earlier(arm, series) for series in arm.earlier)
    shadows = ((shadow.name, shadow.strategies) for arm in experiment.arms for shadow in arm.shadows)
    yield from dict.fromkeys(f"{name} plays {_listed(strategies)}" for name, strategies in shadows)


def _strategies(arm: ArmReport) -> Iterator[str]:
    if not arm.searched and arm.strategies:
        yield f"{arm.name} plays {_listed(arm.strategies)}"
    for name, strategy in arm.searched.items():
        yield f"{arm.name} plays {name} [{strategy.digest[:_SHOWN_DIGITS]}]{_weights(strategy.weights)}"


def _weights(weights: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} {weight:g}" for name, weight in sorted(weights.items()))
    return f" with {listed}" if listed else ""


def _earlier(arm: ArmReport, series: SeriesReport) -> str:
    digests = ", ".join(f"{name} [{one.digest[:_SHOWN_DIGITS]}]" for name, one in series.searched.items())
    score = "" if series.score is None else f", score {series.score:.3f}"
    return (
        f"{arm.name} played {digests or _listed(series.strategies)} until {_minute(series.until)}: "
        f"{series.games} games, {series.wins}/{series.draws}/{series.losses}{score}, not counted above"
    )


def _minute(time: datetime | None) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC" if time else ""


def _listed(strategies: list[str]) -> str:
    return ", ".join(strategy or "the searcher's default" for strategy in strategies)
