"""The checks of an overlay on a cluster: functions that return their findings, or raise ClusterError.

A schema can't show that a rolling update lacks pods, that a budget blocks an eviction, or that a service
selects no pod. These checks show it at a lower cost than a user's own cluster.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from infra.cluster.control_plane import KWOK
from infra.cluster.kubectl import WITHIN, ClusterError, Resource, checked, wait_until
from infra.cluster.trial import NAMESPACE, Trial, fewest_ready, ready, recorded, require
from tests.docs.pages import FENCES
from tests.support.services import ROOT

PAGE = ROOT / "infra" / "kubernetes" / "README.md"

_LEFT_OUT = ("helm ", "kubectl apply -k ")
"""The prefixes of lines that are not run, because they need another program or come later."""

_NAME = "YOUR-NAME", "reader"
"""The text that readers of the page replace, and the replacement here."""

_STRICT = 'kubectl() { command kubectl --warnings-as-errors "$@"; }\n'

_ALWAYS = "gateway token prometheus"
_MORE = {"keda": "gateway token scaler", "mutual-tls": "certificates.sh"}
"""Texts in the page's blocks that come before every overlay, and in those before some overlays."""

OTHER_NAMESPACES = ("monitoring",)
"""The namespaces of other programs in which the blocks create something."""


def prepare(trial: Trial) -> str:
    """Type the page's blocks for an overlay into a shell, in the trial's folder. Raises ClusterError."""
    for namespace in OTHER_NAMESPACES:
        trial.cluster.kubectl("create", "namespace", namespace)
    (trial.folder / "infra").symlink_to(ROOT / "infra")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    kubectl = {"KUBECONFIG": str(trial.kubectl.config), "KUBECACHEDIR": str(trial.kubectl.cache)}
    env = {"PATH": path, "PYTHONPATH": str(ROOT), **kubectl}
    code = list(code_for(PAGE.read_text(), trial.overlay.name))
    script = ["bash", "-euo", "pipefail", "-c", _STRICT + "\n".join(code)]
    checked(str(PAGE.relative_to(ROOT)), script, folder=trial.folder, env=env)
    return f"{len(code)} lines of {PAGE.relative_to(ROOT)}"


def code_for(page: str, overlay: str) -> Iterator[str]:
    """Yield the lines of the page that come before an overlay. Raises ClusterError."""
    yield from commands(page, _ALWAYS)
    if overlay in _MORE:
        yield from commands(page, _MORE[overlay])


def commands(page: str, mention: str) -> Iterator[str]:
    """Yield the lines of the only shell block that has a text, without the lines that can't run here.

    Raises ClusterError if no block or several blocks have it.
    """
    blocks = [code for language, code in FENCES.findall(page) if language == "sh" and mention in code]
    if len(blocks) != 1:
        raise ClusterError(f"{len(blocks)} blocks of {PAGE.relative_to(ROOT)} have {mention!r}, not one")
    for line in blocks[0].splitlines():
        if not line.startswith(_LEFT_OUT):
            yield line.replace(*_NAME)


_LEVEL = "pod-security.kubernetes.io/enforce"

_UNMEASURED = {"FailedGetResourceMetric", "FailedGetPodsMetric"}
"""The reasons why autoscalers don't scale on a cluster without metrics. No other reason is accepted."""

Check = Callable[[Trial], str]


def applied(trial: Trial) -> str:
    """Apply the overlay. The server has to know every field, and may warn of none."""
    command = ("apply", "--kustomize", trial.overlay, "--validate=strict")
    return f"{len(trial.cluster.kubectl(*command).splitlines())} resources without a warning"


def rolled_out(trial: Trial) -> str:
    """Wait for the pods of every deployment, for at least the minimum of its autoscaler."""
    for scaled in trial.kubectl.resources("scaledobjects"):
        # KEDA itself does not run here, so scale its deployments to their minimum in its place.
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
    """Check that the namespace's level of Pod Security admitted our pods, and refuses other pods."""
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
    """Delete the overlay, with its namespace and its preparations."""
    kubectl, names = trial.cluster.kubectl, (NAMESPACE, *OTHER_NAMESPACES)
    kubectl("delete", "namespace", *OTHER_NAMESPACES, "--ignore-not-found", "--wait=false")
    # kubectl always warns that this deletes a namespace, so a warning is accepted here.
    refusal = kubectl.refusal(
        "delete", "--kustomize", trial.overlay, "--ignore-not-found", f"--timeout={WITHIN:.0f}s"
    )
    require(not refusal, refusal)
    wait_until(
        lambda: not kubectl("get", "namespace", *names, "--ignore-not-found"), "the namespaces are gone"
    )
    return "nothing is left"


Reference = tuple[str, str]
"""A kind and a name. For a port of a service, the number follows after a colon."""

_ROUTES = ("httproutes", "grpcroutes")


def referred(trial: Trial) -> str:
    """Check that every Secret and ConfigMap of the pods exists, and every target of the routes."""
    specs = [pod["spec"] for pod in trial.pods({})]
    routes = [route["spec"] for kind in _ROUTES for route in trial.kubectl.resources(kind)]
    named = {each for spec in specs for each in needs_of_pod(spec)}
    named |= {each for spec in routes for each in needs_of_route(spec)}
    missing = named - set(_present(trial))
    require(not missing, f"missing: {', '.join(sorted(map(' '.join, missing)))}")
    return f"{len(named)} names of Secrets, ConfigMaps, Gateways and ports of services"


def needs_of_pod(spec: Resource) -> Iterator[Reference]:
    """Yield the Secrets and ConfigMaps without which a pod does not start."""
    sources: list[Any] = []
    for volume in spec.get("volumes", []):
        sources += [
            ("Secret", volume.get("secret"), "secretName"),
            ("ConfigMap", volume.get("configMap"), "name"),
        ]
    for container in spec["containers"]:
        for each in container.get("envFrom", []):
            sources += [
                ("Secret", each.get("secretRef"), "name"),
                ("ConfigMap", each.get("configMapRef"), "name"),
            ]
    for kind, source, key in sources:
        if source and not source.get("optional"):
            yield kind, source[key]


def needs_of_route(spec: Resource) -> Iterator[Reference]:
    """Yield the Gateways of a route, and the ports of services to which it sends requests."""
    for parent in spec["parentRefs"]:
        yield parent["kind"], parent["name"]
    for rule in spec["rules"]:
        for backend in rule["backendRefs"]:
            yield backend["kind"], f"{backend['name']}:{backend['port']}"


def _present(trial: Trial) -> Iterator[Reference]:
    for kind, resources in (("Secret", "secrets"), ("ConfigMap", "configmaps"), ("Gateway", "gateways")):
        for resource in trial.kubectl.resources(resources):
            yield kind, resource["metadata"]["name"]
    for service in trial.kubectl.resources("services"):
        for port in service["spec"]["ports"]:
            yield "Service", f"{service['metadata']['name']}:{port['port']}"


def served(trial: Trial) -> str:
    """Check that every service has the addresses of the pods that it selects, with all its ports."""
    counts = [_addresses(trial, service) for service in trial.kubectl.resources("services")]
    return f"addresses: {', '.join(counts)}"


def _addresses(trial: Trial, service: Resource) -> str:
    """Return the number of a service's addresses. Raises ClusterError if its pods have other addresses."""
    name, spec = service["metadata"]["name"], service["spec"]
    pods = {pod["status"]["podIP"] for pod in trial.pods(spec["selector"]) if ready(pod)}
    require(bool(pods), f"service {name} selects no pod")

    def has_all() -> bool:
        endpoints = (endpoint for each in _slices(trial, name) for endpoint in each["endpoints"] or [])
        return pods == {each["addresses"][0] for each in endpoints if each["conditions"]["ready"]}

    wait_until(has_all, f"service {name} has the addresses of its pods")
    ports = {port["name"] for each in _slices(trial, name) for port in each["ports"] or []}
    lacking = {port["name"] for port in spec["ports"]} - ports
    require(not lacking, f"the pods of service {name} have no port for {', '.join(sorted(lacking))}")
    return f"{len(pods)} of {name}"


def _slices(trial: Trial, service: str) -> Iterator[Resource]:
    labels = f"--selector=kubernetes.io/service-name={service}"
    yield from trial.kubectl.resources("endpointslices", labels)


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


_BEYOND = "would violate the pod's disruption budget"
"""A part of the answer to an eviction that a budget does not allow."""


def evicted(trial: Trial) -> str:
    """Evict all pods of each budget, and check that evictions beyond the budget are refused."""
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
    # While kwok stands still, no pod disappears and no pod becomes ready.
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
