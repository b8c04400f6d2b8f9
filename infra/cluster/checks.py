"""What is checked of each overlay: functions that say what they saw, or raise ClusterError."""

from collections.abc import Callable

from infra.cluster.errors import WITHIN, wait_until
from infra.cluster.evictions import evicted
from infra.cluster.preparation import OTHER_NAMESPACES, prepare
from infra.cluster.references import referred
from infra.cluster.services import served
from infra.cluster.trial import NAMESPACE, Trial, require
from infra.cluster.updates import updated

_LEVEL = "pod-security.kubernetes.io/enforce"

_UNMEASURED = {"FailedGetResourceMetric", "FailedGetPodsMetric"}
"""Why autoscalers don't scale on a cluster without metrics, which is all that they may lack."""

Check = Callable[[Trial], str]


def applied(trial: Trial) -> str:
    """Apply the overlay: the server knows every field, and warns of none."""
    command = ("apply", "--kustomize", trial.overlay, "--validate=strict")
    return f"{len(trial.cluster.kubectl(*command).splitlines())} resources without a warning"


def rolled_out(trial: Trial) -> str:
    """Wait for the pods of every deployment, as many as its autoscaler asks for at least."""
    for scaled in trial.kubectl.resources("scaledobjects"):
        # KEDA itself does not run here.
        name, least = scaled["spec"]["scaleTargetRef"]["name"], scaled["spec"]["minReplicaCount"]
        trial.kubectl("scale", f"deployment/{name}", f"--replicas={least}")
    least_replicas = {
        autoscaler["spec"]["scaleTargetRef"]["name"]: autoscaler["spec"]["minReplicas"]
        for autoscaler in trial.kubectl.resources("horizontalpodautoscalers")
    }

    def scaled_up() -> bool:
        replicas = {name: each["spec"]["replicas"] for name, each in trial.deployments()}
        return all(replicas.get(name, 0) >= least for name, least in least_replicas.items())

    wait_until(scaled_up, f"there are {least_replicas} replicas at least")
    trial.settle()
    counts = (f"{each['status']['readyReplicas']} {name}" for name, each in trial.deployments())
    return f"ready pods: {', '.join(counts)}"


def kept(trial: Trial) -> str:
    """Check that a second apply would change nothing, such as the replicas that an autoscaler has set."""
    trial.cluster.kubectl("diff", "--kustomize", trial.overlay)
    return "would change nothing"


def admitted(trial: Trial) -> str:
    """Check that the namespace's level of Pod Security let in our pods, and lets in no other."""
    [namespace] = trial.kubectl.resources("namespaces", f"--field-selector=metadata.name={NAMESPACE}")
    level = namespace["metadata"]["labels"].get(_LEVEL)
    require(level is not None, f"the namespace has no label {_LEVEL}")
    refusal = trial.kubectl.refusal("run", "stranger", "--image=stranger", "--dry-run=server")
    require(f'violates PodSecurity "{level}:' in refusal, f"a pod that is not {level} was let in: {refusal}")
    return f"{len(trial.pods({}))} pods are {level}; another was refused"


def autoscaled(trial: Trial) -> str:
    """Check that each autoscaler finds its target, and lacks nothing but metrics."""
    autoscalers = {
        each["metadata"]["name"]: each for each in trial.kubectl.resources("horizontalpodautoscalers")
    }
    for name, autoscaler in autoscalers.items():
        conditions = {each["type"]: each for each in autoscaler["status"].get("conditions", [])}
        require(
            conditions["AbleToScale"]["status"] == "True", f"{name}: {conditions['AbleToScale']['message']}"
        )
        active = conditions["ScalingActive"]
        require(active["reason"] in _UNMEASURED, f"{name}: {active['message']}")
    names = [*autoscalers, *(f"ScaledObject {name}" for name in _names(trial, "scaledobjects"))]
    return f"accepted: {', '.join(names)}"


def _names(trial: Trial, kind: str) -> list[str]:
    return [resource["metadata"]["name"] for resource in trial.kubectl.resources(kind)]


def deleted(trial: Trial) -> str:
    """Delete the overlay, with its namespace and what was prepared for it."""
    kubectl, names = trial.cluster.kubectl, (NAMESPACE, *OTHER_NAMESPACES)
    kubectl("delete", "namespace", *OTHER_NAMESPACES, "--ignore-not-found", "--wait=false")
    # kubectl always warns that this deletes a namespace, which is no refusal.
    refusal = kubectl.refusal(
        "delete", "--kustomize", trial.overlay, "--ignore-not-found", f"--timeout={WITHIN:.0f}s"
    )
    require(not refusal, refusal)
    wait_until(
        lambda: not kubectl("get", "namespace", *names, "--ignore-not-found"), "the namespaces are gone"
    )
    return "nothing is left"


CHECKS: dict[str, Check] = {
    "prepare": prepare,
    "apply": applied,
    "rollout": rolled_out,
    "second apply": kept,
    "Pod Security": admitted,
    "references": referred,
    "services": served,
    "autoscalers": autoscaled,
    "update": updated,
    "evictions": evicted,
}
