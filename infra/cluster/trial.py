"""An overlay on the cluster: its deployments, and the number of its ready pods at any time."""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infra.cluster.control_plane import Cluster
from infra.cluster.kubectl import WITHIN, ClusterError, Kubectl, Resource, wait_until

Labels = Mapping[str, str]


def ready(pod: Resource) -> bool:
    """Return whether a pod answers calls: it is ready and not deleted."""
    conditions = {each["type"]: each["status"] for each in pod.get("status", {}).get("conditions", [])}
    return conditions.get("Ready") == "True" and "deletionTimestamp" not in pod["metadata"]


def selected(pod: Resource, labels: Labels) -> bool:
    """Return whether a pod has all these labels."""
    present: Labels = pod["metadata"].get("labels", {})
    return labels.items() <= present.items()


def fewest_ready(events: Iterable[Mapping[str, Any]], labels: Labels, present: int) -> int:
    """Return the lowest number of ready pods with these labels at any time.

    A watch begins with one event for each pod that is already `present`.
    """
    pods: dict[str, bool] = {}
    counts = []
    for event in events:
        pod = event["object"]
        if event["type"] == "DELETED":
            pods.pop(pod["metadata"]["name"], None)
        else:
            pods[pod["metadata"]["name"]] = ready(pod) and selected(pod, labels)
        counts.append(sum(pods.values()))
    return min(counts[present - 1 :])


@contextmanager
def recorded(kubectl: Kubectl, file: Path, present: int) -> Iterator[Callable[[], list[Any]]]:
    """Record the events of the namespace's pods until the block ends; yield a function that returns them."""
    address = f"/api/v1/namespaces/{kubectl.namespace}/pods?watch=true"

    def events() -> list[Any]:
        complete = file.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in complete.splitlines()]

    with file.open("wb") as output:
        watch = subprocess.Popen(kubectl.command("get", f"--raw={address}"), stdout=output)
    try:
        wait_until(lambda: len(events()) >= present, "the watch shows all pods")
        yield events
    finally:
        watch.kill()
        watch.wait()


NAMESPACE = "battlesnake"


@dataclass(frozen=True, slots=True)
class Trial:
    """An overlay, the cluster that it is applied to, and an empty folder for files."""

    overlay: Path
    cluster: Cluster
    folder: Path

    @property
    def kubectl(self) -> Kubectl:
        """kubectl for the namespace of the overlay."""
        return Kubectl(self.cluster.kubectl.config, NAMESPACE)

    def deployments(self) -> Iterator[tuple[str, Resource]]:
        """Yield the deployments by name. Raises ClusterError."""
        for deployment in self.kubectl.resources("deployments"):
            yield deployment["metadata"]["name"], deployment

    def pods(self, labels: Resource) -> list[Resource]:
        """Return the pods that have all these labels. Raises ClusterError."""
        return [pod for pod in self.kubectl.resources("pods") if selected(pod, labels)]

    def settle(self) -> None:
        """Wait until every deployment has its pods and nothing else. Raises ClusterError, with the reason."""
        try:
            for name, _ in self.deployments():
                self.kubectl("rollout", "status", f"deployment/{name}", f"--timeout={WITHIN:.0f}s")
            wait_until(lambda: all(map(ready, self.pods({}))), "all pods are ready, and former ones are gone")
        except ClusterError as error:
            raise ClusterError("; ".join((str(error), *self._complaints()))) from error
        self.cluster.processes.check()

    def _complaints(self) -> set[str]:
        """Return the cluster's messages about pods that it can't make or place."""
        events = self.kubectl.resources("events", "--field-selector=type=Warning")
        kinds = ("Pod", "ReplicaSet", "Deployment")
        return {event["message"] for event in events if event["involvedObject"]["kind"] in kinds}


def require(true: bool, otherwise: str) -> None:
    """Raise ClusterError with a message if a condition is false."""
    if not true:
        raise ClusterError(otherwise)
