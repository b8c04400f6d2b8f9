"""What a cluster has before anything of ours is applied: nodes, and the definitions of custom resources."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from infra.checks.custom_resources import SOURCES, definitions
from infra.cluster.control_plane import Cluster, start_kwok
from infra.cluster.errors import ClusterError, wait_until
from infra.cluster.kubectl import Kubectl
from infra.cluster.programs import STAGES

_NODES = 3
_CAPACITY = {"cpu": "8", "memory": "16Gi", "pods": "110"}
"""Of a node; enough for each overlay, and little enough that the scheduler has to count."""

_DELAYS = {"pod-ready": 1000, "pod-delete": 500}
"""Milliseconds that pods take to become ready, or to go. Without, no rolling update could lack a pod."""


def furnish(cluster: Cluster) -> None:
    """Add the nodes and the definitions; return when they are there.

    Raises CannotCheckError if the definitions can't be downloaded, and ClusterError.
    """
    stages = cluster.folder / "stages.yaml"
    stages.write_text(yaml.safe_dump_all(_stages()))
    start_kwok(cluster, stages)
    cluster.kubectl(
        "apply", "--filename=-", given=json.dumps({"apiVersion": "v1", "kind": "List", "items": _nodes()})
    )
    for source in SOURCES:
        _define(cluster.kubectl, definitions(source))
    cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
    cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=60s")
    wait_until(lambda: not any(_taints(cluster.kubectl)), "all nodes take pods")
    cluster.processes.check()


def _stages() -> Iterator[Any]:
    for file in sorted(STAGES.glob("*.yaml")):
        stage = yaml.safe_load(file.read_text())
        delay = _DELAYS.get(stage["metadata"]["name"])
        if delay:
            stage["spec"]["delay"] = {"durationMilliseconds": delay, "jitterDurationMilliseconds": 2 * delay}
        yield stage


def _nodes() -> list[dict[str, Any]]:
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": name,
                "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
            },
            "status": {"allocatable": _CAPACITY, "capacity": _CAPACITY},
        }
        for name in (f"node-{number}" for number in range(_NODES))
    ]


def _define(kubectl: Kubectl, folder: Path) -> None:
    # The annotation of an apply by the client would be larger than the server allows.
    refusal = kubectl.refusal("apply", "--server-side", f"--filename={folder}")
    if refusal:
        raise ClusterError(refusal)


def _taints(kubectl: Kubectl) -> Iterator[Any]:
    return (taint for node in kubectl.resources("nodes") for taint in node["spec"].get("taints", []))
