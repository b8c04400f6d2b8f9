"""What a gateway's metrics say about its games and its searches."""

from typing import NamedTuple

from prometheus_client.parser import text_string_to_metric_families

DEMAND = "gateway_search_demand_seconds_total"
"""The counter of the searches that moves wait for, integrated over time."""

GAMES = "gateway_games_playing"

NAMES = (DEMAND, GAMES)
"""The metrics that are read."""


class Reading(NamedTuple):
    """The metrics of a gateway at one time.

    `demand` is the time in seconds for which moves have waited for searches since the gateway started; two
    searches at once count twice.
    """

    demand: float
    games: float


def parse(text: str) -> Reading:
    """Read Prometheus' text format. Raises ValueError for other text, or if a metric is missing."""
    # Parsing all metrics of a gateway would take thirty times as long.
    lines = (line for line in text.splitlines() if line.startswith(NAMES))
    families = text_string_to_metric_families("\n".join(lines) + "\n")
    samples = [sample for family in families for sample in family.samples]
    if missing := [name for name in NAMES if all(sample.name != name for sample in samples)]:
        raise ValueError(f"has no {' and no '.join(missing)}")
    return Reading(*(sum(each.value for each in samples if each.name == name) for name in NAMES))
