"""The manifests for a match on Kubernetes: what KubeRay checks on a cluster alone, and what Ray needs."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infra.checks.manifests import rendered
from infra.checks.tools import find_tool
from tests.docs.test_commands import faults

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "infra" / "kubernetes" / "arena"


@pytest.fixture(scope="module")
def manifests() -> dict[str, Any]:
    """All resources by kind; there is one of each."""
    assert find_tool("kubectl")
    return {each["kind"]: each for folder in (FOLDER, FOLDER / "reader") for each in rendered(folder)}


@pytest.fixture(scope="module")
def match(manifests: dict[str, Any]) -> Any:
    """The match."""
    return manifests["RayJob"]["spec"]


@pytest.fixture(scope="module")
def pods(manifests: dict[str, Any], match: Any) -> dict[str, Any]:
    """All pods, by what they are."""
    [workers] = match["rayClusterSpec"]["workerGroupSpecs"]
    return {
        "submitter": match["submitterPodTemplate"]["spec"],
        "head": match["rayClusterSpec"]["headGroupSpec"]["template"]["spec"],
        "worker": workers["template"]["spec"],
        "reader": manifests["Pod"]["spec"],
    }


def _writable(pod: Any) -> Iterator[str]:
    for mount in pod["containers"][0]["volumeMounts"]:
        if not mount.get("readOnly"):
            yield mount["mountPath"]


def test_the_command_exists(match: Any) -> None:
    """It resumes, since the next cluster runs the same command, and it writes to the volume."""
    command = shlex.split(match["entrypoint"])
    assert not list(faults(command))
    assert "--resume" in command and command[command.index("--ray") + 1] == "auto"
    output = Path(command[command.index("--output") + 1])
    head = match["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]
    assert str(output.parent) in _writable(head)
    assert {"name": "matches", "persistentVolumeClaim": {"claimName": "matches"}} in head["volumes"]


def test_one_image_and_its_version_of_ray(match: Any, pods: dict[str, Any]) -> None:
    """Other versions would not find each other; KubeRay makes probes and tokens as this version has them."""
    assert len({pod["containers"][0]["image"] for pod in pods.values()}) == 1
    locked = (ROOT / "requirements" / "cluster.txt").read_text()
    assert re.findall(r"^ray==(\S+)", locked, re.MULTILINE) == [match["rayClusterSpec"]["rayVersion"]]
    assert match["rayClusterSpec"]["authOptions"] == {"mode": "token"}


@pytest.mark.parametrize("name", ["submitter", "head", "worker", "reader"])
def test_the_namespace_admits_the_pods(manifests: dict[str, Any], pods: dict[str, Any], name: str) -> None:
    """They are what its level asks for, and have no token of Kubernetes and no place to write but volumes."""
    labels = manifests["Namespace"]["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    pod = pods[name]
    [container] = pod["containers"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert name == "reader" or "/tmp" in _writable(pod)
    assert container["resources"]["requests"].keys() == container["resources"]["limits"].keys()
