"""How many pods remain while deployments are updated."""

from collections.abc import Sequence

from infra.cluster.kubectl import Resource
from infra.cluster.readiness import fewest_ready, recorded
from infra.cluster.trial import Trial, require


def updated(trial: Trial) -> str:
    """Replace all pods, and check that no deployment has fewer ready ones than the manifests promise."""
    deployments = dict(trial.deployments())
    budgets = trial.kubectl.resources("poddisruptionbudgets")
    present = len(trial.pods({}))
    with recorded(trial.kubectl, trial.folder / "events.jsonl", present) as events:
        trial.kubectl("rollout", "restart", "deployment")
        trial.settle()
        seen = events()
    fewest = {}
    for name, deployment in deployments.items():
        fewest[name] = fewest_ready(seen, deployment["spec"]["selector"]["matchLabels"], present)
        promised = promised_ready(deployment, budgets)
        require(
            fewest[name] >= promised, f"{name} had {fewest[name]} ready pods, not the promised {promised}"
        )
    return f"never fewer ready pods than {', '.join(f'{number} {name}' for name, number in fewest.items())}"


def promised_ready(deployment: Resource, budgets: Sequence[Resource]) -> int:
    """Return how many ready pods a deployment keeps, by its own strategy or by its disruption budget."""
    selector = deployment["spec"]["selector"]["matchLabels"]
    healthy: list[int] = [
        budget["status"]["desiredHealthy"]
        for budget in budgets
        if budget["spec"]["selector"]["matchLabels"] == selector
    ]
    return max([_kept(deployment["spec"]), *healthy])


def _kept(spec: Resource) -> int:
    """Return how many pods the strategy of a deployment keeps while it replaces them."""
    replicas: int = spec["replicas"]
    strategy = spec["strategy"]
    if strategy["type"] == "Recreate":
        return 0
    unavailable: int | str = strategy["rollingUpdate"]["maxUnavailable"]
    if isinstance(unavailable, str):
        unavailable = replicas * int(unavailable.removesuffix("%")) // 100
    return replicas - unavailable
