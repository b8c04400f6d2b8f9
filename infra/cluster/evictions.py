"""How many pods remain while nodes are emptied."""

import json

from infra.cluster.errors import wait_until
from infra.cluster.kubectl import Resource
from infra.cluster.programs import KWOK
from infra.cluster.trial import NAMESPACE, Trial, require

_BEYOND = "would violate the pod's disruption budget"
"""Of the answer to an eviction that a budget does not allow."""


def evicted(trial: Trial) -> str:
    """Evict all pods of each budget, and check that those are refused that it does not allow."""
    names = [budget["metadata"]["name"] for budget in trial.kubectl.resources("poddisruptionbudgets")]
    results = {name: _evict(trial, name) for name in names}
    trial.settle()
    return "; ".join(
        f"{name}: {taken} taken, {refused} refused" for name, (taken, refused) in results.items()
    )


def _evict(trial: Trial, name: str) -> tuple[int, int]:
    """Return how many evictions of a budget's pods succeed at once, and how many are refused."""
    wait_until(lambda: _is_current(trial, name), f"budget {name} has counted its pods")
    budget = _budget(trial, name)
    pods = trial.pods(budget["spec"]["selector"]["matchLabels"])
    # While kwok stands still, no pod goes and none becomes ready.
    with trial.cluster.processes.stopped(KWOK.path):
        refusals = [refusal for pod in pods if (refusal := _refusal(trial, pod["metadata"]["name"]))]
    others = [refusal for refusal in refusals if _BEYOND not in refusal]
    require(not others, f"budget {name}: {'; '.join(others)}")
    taken, allowed = len(pods) - len(refusals), len(pods) - budget["status"]["desiredHealthy"]
    require(taken == allowed, f"{taken} of {len(pods)} pods of budget {name} were evicted, not {allowed}")
    require(bool(refusals) or len(pods) == 1, f"budget {name} lets all pods go at once")
    return taken, len(refusals)


def _is_current(trial: Trial, name: str) -> bool:
    budget = _budget(trial, name)
    status, pods = budget["status"], len(trial.pods(budget["spec"]["selector"]["matchLabels"]))
    counts = status["expectedPods"], status["currentHealthy"], status["disruptionsAllowed"]
    return counts == (pods, pods, pods - status["desiredHealthy"])


def _budget(trial: Trial, name: str) -> Resource:
    [budget] = trial.kubectl.resources("poddisruptionbudgets", f"--field-selector=metadata.name={name}")
    return budget


def _refusal(trial: Trial, pod: str) -> str:
    """Return why the eviction of a pod is refused; empty if it is not."""
    metadata = {"name": pod, "namespace": NAMESPACE}
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": metadata}
    address = f"/api/v1/namespaces/{NAMESPACE}/pods/{pod}/eviction"
    return trial.kubectl.refusal("create", f"--raw={address}", "--filename=-", given=json.dumps(eviction))
