"""What manifests promise for the time of an update."""

from typing import Any

import pytest

from infra.cluster.updates import promised_ready


def deployment(replicas: int, unavailable: int | str | None) -> Any:
    """Return a deployment as the API server shows it; with None it is one that first deletes its pods."""
    strategy: dict[str, Any] = {"type": "Recreate"}
    if unavailable is not None:
        strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": unavailable}}
    selector = {"matchLabels": {"app": "searcher"}}
    return {"spec": {"replicas": replicas, "strategy": strategy, "selector": selector}}


def budget(app: str, healthy: int) -> Any:
    """Return a disruption budget that keeps so many pods."""
    return {"spec": {"selector": {"matchLabels": {"app": app}}}, "status": {"desiredHealthy": healthy}}


@pytest.mark.parametrize(
    ("replicas", "unavailable", "kept"),
    [(2, 0, 2), (4, 1, 3), (2, "25%", 2), (4, "25%", 3), (7, "50%", 4), (2, None, 0)],
)
def test_a_strategy_keeps_pods(replicas: int, unavailable: int | str | None, kept: int) -> None:
    """A share is rounded down, as by Kubernetes, so that a single pod is never given up."""
    assert promised_ready(deployment(replicas, unavailable), []) == kept


def test_so_does_a_budget_for_the_same_pods() -> None:
    """An update that has fewer would break its promise."""
    budgets = [budget("gateway", 3), budget("searcher", 1)]
    assert promised_ready(deployment(2, None), budgets) == 1
    assert promised_ready(deployment(2, 0), budgets) == 2
